#pragma once

#include <cstdint>
#include <tuple>

#include <ferry/apps/timetabling/model/Slots.hpp>

namespace timetabling {

/// A timetable of the population with its violations and costs.
struct Individual {
    Slots slots;
    std::int64_t conflicts = 0;    ///< violations of hard constraints
    std::int64_t cost = 0;         ///< soft cost
    std::int64_t moved = 0;        ///< number of lectures that are not in their published places
    std::int64_t charge = 0;       ///< charge for these lectures, on top of the cost

    bool isFeasible() const { return conflicts == 0; }
    std::int64_t total() const { return cost + charge; }
    /// Whether the timetable is feasible and its total is at most targetCost.
    bool reaches(std::int64_t targetCost) const { return isFeasible() && total() <= targetCost; }
    bool isBetterThan(const Individual& other) const { return std::tuple(conflicts, total()) < std::tuple(other.conflicts, other.total()); }
};

}    // namespace timetabling
