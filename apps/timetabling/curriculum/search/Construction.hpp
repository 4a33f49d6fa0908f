#pragma once

#include <cstdint>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/search/Budget.hpp>
#include <ferry/apps/timetabling/search/Individual.hpp>

namespace timetabling::curriculum {

/// Builds a random timetable in which only conflicts between courses can be wrong. Then searches until no conflict remains.
///
/// Returns the timetable with the fewest conflicts when the budget ends first.
/// Errors: std::invalid_argument when the lectures do not fit into the rooms and open periods. findInfeasibility() proves that case.
Individual constructIndividual(const Problem& problem, std::uint64_t seed, const Budget& budget, const StopHook& stop);

/// Returns random slots that checkSlots() accepts.
Slots randomSlots(const Problem& problem, std::uint64_t seed);

}    // namespace timetabling::curriculum
