#pragma once

#include <ferry/apps/timetabling/curriculum/model/Solution.hpp>
#include <ferry/apps/timetabling/report/TimetableView.hpp>

namespace timetabling::curriculum {

Examination examine(const Problem& problem, const Solution& solution);

/// The timetable with a week for each room, teacher and curriculum. A week of a curriculum leaves out what is wrong about others.
TimetableView makeView(const Problem& problem, const Solution& solution);

}    // namespace timetabling::curriculum
