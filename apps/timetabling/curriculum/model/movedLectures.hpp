#pragma once

#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/curriculum/model/Solution.hpp>
#include <ferry/apps/timetabling/report/Moved.hpp>

namespace timetabling::curriculum {

/// The lectures that are elsewhere than published, by the numbers of their courses; nothing where no timetable was published. A lecture
/// that is in its period but in another room is told as that, and as few as possible as moved.
std::vector<Moved> movedLectures(const Problem& problem, const Solution& solution);

}    // namespace timetabling::curriculum
