#pragma once

/// Objects as JSON and back, for logs, tests and other programs. Needs no MPI.
///
///     #include <ferry/json.hpp>
///     #include <ferry/objects.hpp>
///
///     struct Room {
///         std::string name;
///         std::vector<int> seats;
///         FERRY_FIELDS(name, seats)
///     };
///
///     int main() {
///         const std::string text = ferry::toJson(Room{"Aula", {30, 2}});    // {"name":"Aula","seats":[30,2]}
///         return ferry::fromJson<Room>(text).seats.size() == 2 ? 0 : 1;
///     }

#include <ferry/serialization/text/Json.hpp>
