#pragma once

#include <cstdint>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/search/Budget.hpp>
#include <ferry/apps/timetabling/search/Individual.hpp>
#include <ferry/apps/timetabling/search/SearchProblem.hpp>

/// The search for problems with a published timetable.

namespace timetabling::curriculum {

/// Begins with what was published, puts what has lost its place where it clashes least, and searches until nothing clashes, taking few
/// lectures along. Returns the timetable with the fewest conflicts when the budget ends first.
/// Errors: as constructIndividual().
Individual constructFromPublished(const Problem& problem, std::uint64_t seed, const Budget& budget, const StopHook& stop);

/// Anneals at temperatures at which some lectures leave their published places and most come back, then again from the best timetable
/// without a lecture more that is displaced. 'heat' is the share of the highest temperature to begin with. Never returns a worse one.
SearchResult annealTowardsPublished(const Problem& problem, const Slots& slots, const SearchOrder& order, double heat,
                                    const StopHook& stop);

}    // namespace timetabling::curriculum
