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

    bool isFeasible() const { return conflicts == 0; }
    /// Feasible, and no more expensive than that.
    bool reaches(std::int64_t targetCost) const { return isFeasible() && cost <= targetCost; }
    bool isBetterThan(const Individual& other) const { return std::tie(conflicts, cost) < std::tie(other.conflicts, other.cost); }
};

}    // namespace timetabling
