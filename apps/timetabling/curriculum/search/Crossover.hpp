#pragma once

#include <cstdint>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/search/Individual.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>

namespace timetabling::curriculum {

/// A child of two timetables by exchange of periods: some periods hold what they hold in the second parent, the other lectures stay
/// where the first parent has them as far as their slot and period are still open; the rest goes where it clashes least. Pinned lectures
/// are where the first parent has them. 'share' is the expected share of the periods that come from the second parent. The slots are fit
/// for a SearchState; when the lectures that are left over find no place, the child is the first parent again.
Slots exchangePeriods(const Problem& problem, const Slots& first, const Slots& second, double share, Random& random);

/// Lectures of one timetable that the other has in another period or not at all, whatever their rooms.
int distanceBetween(const Problem& problem, const Slots& a, const Slots& b);

}    // namespace timetabling::curriculum
