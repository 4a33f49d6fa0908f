#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <ferry/serialization/Fields.hpp>

namespace bench {

enum class VesselKind : std::uint8_t { Ferry, Tanker, Trawler, Tug };
enum class Flag : std::int32_t { Denmark = 45, Norway = 47, Germany = 49 };

struct Position {
    FERRY_FIELDS(latitude, longitude, heading)
    float latitude = 0;
    float longitude = 0;
    float heading = 0;
    bool operator==(const Position&) const = default;
};

struct Engine {
    FERRY_FIELDS(maker, powerKw)
    std::string maker;
    std::int16_t powerKw = 0;
    bool operator==(const Engine&) const = default;
};

/// A nested record without virtual functions. It has about 40 values, including the elements of its containers.
struct Vessel {
    FERRY_FIELDS(name, number, kind, flag, position, destination, decks, berths, length, draught, fuelLitres, lastContactUs, isMoored,
                 cabins, engines, auxiliary, track, ports, remark)
    std::string name;
    std::uint32_t number = 0;
    VesselKind kind = VesselKind::Ferry;
    Flag flag = Flag::Denmark;
    Position position;
    Position destination;
    std::int16_t decks = 0;
    std::int16_t berths = 0;
    float length = 0;
    float draught = 0;
    double fuelLitres = 0;
    std::int64_t lastContactUs = 0;
    bool isMoored = false;
    std::vector<std::uint8_t> cabins;
    std::vector<Engine> engines;
    Engine auxiliary;
    std::vector<Position> track;
    std::vector<std::string> ports;
    std::string remark;
    bool operator==(const Vessel&) const = default;
};

/// The classes above, for functions that handle all of them.
template <class T>
concept Record = std::is_same_v<T, Position> || std::is_same_v<T, Engine> || std::is_same_v<T, Vessel>;

}    // namespace bench
