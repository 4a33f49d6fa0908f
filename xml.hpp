#pragma once

/// Objects as XML and back, for programs that read XML. Needs no MPI.
///
///     #include <ferry/objects.hpp>
///     #include <ferry/xml.hpp>
///
///     struct Room {
///         std::string name;
///         std::vector<int> seats;
///         FERRY_FIELDS(name, seats)
///     };
///
///     int main() {
///         const std::string text = ferry::toXml(Room{"Aula", {30, 2}});
///         return ferry::fromXml<Room>(text).seats.size() == 2 ? 0 : 1;
///     }

#include <ferry/serialization/text/Xml.hpp>
