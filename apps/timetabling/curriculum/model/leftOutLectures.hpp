#pragma once

#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/curriculum/model/Solution.hpp>
#include <ferry/apps/timetabling/report/LeftOut.hpp>

namespace timetabling::curriculum {

/// Lists the courses that have fewer lectures in the timetable than they should, in the order of the instance.
std::vector<LeftOut> leftOutLectures(const Problem& problem, const Solution& solution);

/// Puts lectures that are left out (slot -1) into places that are free for them, without a change of the other lectures.
Slots filledIn(const Problem& problem, Slots slots);

}    // namespace timetabling::curriculum
