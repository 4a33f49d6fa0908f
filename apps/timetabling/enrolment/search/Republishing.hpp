#pragma once

#include <cstdint>

#include <ferry/apps/timetabling/enrolment/search/SearchState.hpp>
#include <ferry/apps/timetabling/search/SearchProblem.hpp>

/// The search for problems with pins or with a published timetable.

namespace timetabling::enrolment {

/// Places what is pinned, then what was published as far as it can be where it was, finds places for the rest, and brings back what had
/// to make way. Returns the timetable with the least distance to feasibility when the budget ends first.
Individual constructAroundKept(const Problem& problem, std::uint64_t seed, const Budget& budget, const StopHook& stop);

/// Anneals near the published timetable, see RepublishingWalks. 'heat' is the share of the highest temperature to begin with. Never
/// returns a worse one.
SearchResult annealTowardsPublished(const Problem& problem, const Slots& slots, const SearchOrder& order, double heat,
                                    const StopHook& stop);

}    // namespace timetabling::enrolment
