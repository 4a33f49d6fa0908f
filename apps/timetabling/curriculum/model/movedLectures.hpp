#pragma once

#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/curriculum/model/Solution.hpp>
#include <ferry/apps/timetabling/report/Moved.hpp>

namespace timetabling::curriculum {

/// Returns the lectures that are not in their published place, by the numbers of their courses. Empty without a published timetable.
/// A lecture in its period but in another room is reported as such. The function reports as few lectures as possible as moved.
std::vector<Moved> movedLectures(const Problem& problem, const Solution& solution);

}    // namespace timetabling::curriculum
