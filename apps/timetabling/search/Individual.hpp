#pragma once

#include <cstdint>
#include <tuple>

#include <ferry/apps/timetabling/model/Slots.hpp>

namespace timetabling {

/// A timetable of the population with what is wrong with it.
struct Individual {
    Slots slots;
    std::int64_t conflicts = 0;    ///< violations of hard constraints
    std::int64_t cost = 0;         ///< of the soft constraints
    std::int64_t moved = 0;        ///< lectures that are not where they were published
    std::int64_t charge = 0;       ///< what these count, on top of the cost

    bool isFeasible() const { return conflicts == 0; }
    std::int64_t total() const { return cost + charge; }
    /// Feasible, and the total is no more than that.
    bool reaches(std::int64_t targetCost) const { return isFeasible() && total() <= targetCost; }
    bool isBetterThan(const Individual& other) const { return std::tuple(conflicts, total()) < std::tuple(other.conflicts, other.total()); }
};

}    // namespace timetabling
