#pragma once

#include <cstdint>

#include <ferry/apps/timetabling/enrolment/search/SearchState.hpp>
#include <ferry/apps/timetabling/search/SearchProblem.hpp>

/// The search for problems with pins or with a published timetable.

namespace timetabling::enrolment {

/// Places the pinned events. Then places the published events in their published places, as far as possible.
/// Then finds places for the rest, and brings displaced events back.
/// When the budget ends first, returns the timetable with the smallest distance to feasibility.
Individual constructAroundKept(const Problem& problem, std::uint64_t seed, const Budget& budget, const StopHook& stop);

/// Anneals near the published timetable, see RepublishingWalks.
/// 'heat' is the start temperature as a share of the highest temperature. The result is never worse than the start.
SearchResult annealTowardsPublished(const Problem& problem, const Slots& slots, const SearchOrder& order, double heat,
                                    const StopHook& stop);

}    // namespace timetabling::enrolment
