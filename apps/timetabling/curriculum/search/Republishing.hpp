#pragma once

#include <cstdint>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/search/Budget.hpp>
#include <ferry/apps/timetabling/search/Individual.hpp>
#include <ferry/apps/timetabling/search/MoveFront.hpp>
#include <ferry/apps/timetabling/search/SearchProblem.hpp>

/// The search for problems with a published timetable.

namespace timetabling::curriculum {

/// Begins with the published timetable. Lectures that have lost their place go where they clash least.
/// Then searches until no clash remains, and displaces few lectures.
/// When the budget ends first, returns the timetable with the fewest conflicts.
/// Errors: those of constructIndividual().
Individual constructFromPublished(const Problem& problem, std::uint64_t seed, const Budget& budget, const StopHook& stop);

/// Anneals at temperatures at which some lectures leave their published places and most come back.
/// Then anneals again from the best timetable, and displaces no additional lecture.
/// 'heat' is the start temperature as a share of the highest temperature. The result is never worse than the start.
SearchResult annealTowardsPublished(const Problem& problem, const Slots& slots, const SearchOrder& order, double heat,
                                    const StopHook& stop);

/// Anneals the cost alone, while at most mostMoved lectures are displaced. `slots` is a feasible timetable that displaces no more.
/// Returns the cheapest timetable for each number of displaced lectures that the walk has seen.
std::vector<FrontPoint> annealWithin(const Problem& problem, const Slots& slots, int mostMoved, const SearchOrder& order,
                                     const StopHook& stop);

}    // namespace timetabling::curriculum
