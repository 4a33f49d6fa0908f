#pragma once

#include <ferry/apps/timetabling/curriculum/model/Solution.hpp>
#include <ferry/apps/timetabling/report/TimetableView.hpp>

namespace timetabling::curriculum {

Examination examine(const Problem& problem, const Solution& solution);

/// Returns the timetable with a week for each room, teacher, curriculum and course.
/// The week of a curriculum leaves out violations that concern only other curricula.
TimetableView makeView(const Problem& problem, const Solution& solution);

}    // namespace timetabling::curriculum
