#pragma once

#include <cstdint>
#include <optional>

namespace timetabling {

/// The number of lectures or events that are not in their published places, or a change of this number.
struct Displacement {
    int otherPeriod = 0;
    int otherRoom = 0;    ///< in their published period, but in another room

    int count() const { return otherPeriod + otherRoom; }
    Displacement& operator+=(const Displacement& other) {
        otherPeriod += other.otherPeriod;
        otherRoom += other.otherRoom;
        return *this;
    }
    Displacement& operator-=(const Displacement& other) {
        otherPeriod -= other.otherPeriod;
        otherRoom -= other.otherRoom;
        return *this;
    }
    bool operator==(const Displacement&) const = default;
};

/// The charges for displaced lectures or events.
struct DisplacementCharges {
    std::int64_t otherPeriod = 0;
    std::int64_t otherRoom = 0;

    /// With a weight, an item in another period costs the weight, and an item in another room costs half of it.
    /// Without a weight, one displaced item fewer outweighs all other differences.
    /// Then one item fewer in another period outweighs the cost. The cost has to be below 'boundOfCost'.
    /// itemCount: the number of all lectures or events.
    static DisplacementCharges keeping(std::optional<int> weight, std::int64_t boundOfCost, std::int64_t itemCount) {
        if (weight) return {*weight, (std::int64_t{*weight} + 1) / 2};
        return {boundOfCost * (itemCount + 2), boundOfCost * (itemCount + 1)};
    }
    std::int64_t of(const Displacement& displacement) const {
        return otherPeriod * displacement.otherPeriod + otherRoom * displacement.otherRoom;
    }
};

}    // namespace timetabling
