#pragma once

#include <cstdint>

#include <ferry/apps/timetabling/search/BestOffer.hpp>
#include <ferry/apps/timetabling/search/Budget.hpp>
#include <ferry/apps/timetabling/search/Individual.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>
#include <ferry/apps/timetabling/search/SearchProblem.hpp>
#include <ferry/apps/timetabling/sectioning/search/SearchState.hpp>

namespace timetabling::sectioning {

/// Puts all classes into places, those with the fewest choices first, and then moves classes that violate hard constraints (min-conflicts
/// with a tabu list), until the timetable is feasible or the budget ends. Returns the best timetable.
Individual construct(const Problem& problem, std::uint64_t seed, const Budget& budget, const StopHook& stop);

/// Anneals a timetable: classes change time and room, students change classes alone or with each other. The weight of hard constraints
/// rises while they are violated and falls while they are not.
/// 'heat' is the share of the start temperature. The result is never worse than the given slots.
SearchResult anneal(const Problem& problem, const Slots& slots, const SearchOrder& order, double heat, const StopHook& stop);

}    // namespace timetabling::sectioning
