#pragma once

#include <cstdint>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/search/Individual.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>

namespace timetabling::curriculum {

/// Makes a child of two timetables by exchange of periods.
/// Some periods have the lectures of the second parent.
/// The other lectures stay in the slots of the first parent, if slot and period are still open.
/// The remaining lectures go where they clash least. Pinned lectures are in the slots of the first parent.
/// 'share' is the expected share of the periods that come from the second parent.
/// The resulting slots are valid for a SearchState. When the remaining lectures find no place, the child is a copy of the first parent.
Slots exchangePeriods(const Problem& problem, const Slots& first, const Slots& second, double share, Random& random);

/// Number of lectures of one timetable that the other timetable has in another period or not at all. Rooms do not matter.
int distanceBetween(const Problem& problem, const Slots& a, const Slots& b);

}    // namespace timetabling::curriculum
