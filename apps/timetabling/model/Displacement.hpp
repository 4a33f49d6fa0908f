#pragma once

#include <cstdint>
#include <optional>

namespace timetabling {

/// How many lectures or events are not where they were published; or the change of these numbers.
struct Displacement {
    int otherPeriod = 0;
    int otherRoom = 0;    ///< in their period, but in another room

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

/// What displaced lectures or events count.
struct DisplacementCharges {
    std::int64_t otherPeriod = 0;
    std::int64_t otherRoom = 0;

    /// One that is in another period costs the weight, one that is in another room half of it. Without a weight one fewer of 'itemCount'
    /// that is displaced outweighs everything, then one fewer in another period, then the cost, which is below 'boundOfCost'.
    static DisplacementCharges keeping(std::optional<int> weight, std::int64_t boundOfCost, std::int64_t itemCount) {
        if (weight) return {*weight, (std::int64_t{*weight} + 1) / 2};
        return {boundOfCost * (itemCount + 2), boundOfCost * (itemCount + 1)};
    }
    std::int64_t of(const Displacement& displacement) const {
        return otherPeriod * displacement.otherPeriod + otherRoom * displacement.otherRoom;
    }
};

}    // namespace timetabling
