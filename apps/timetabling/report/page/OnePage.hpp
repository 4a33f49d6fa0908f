#pragma once

#include <string>

#include <ferry/apps/timetabling/report/TimetableView.hpp>

namespace timetabling {

/// Returns the timetable as one page: the overview and all weeks.
std::string writeOnePage(const TimetableView& view);

}    // namespace timetabling
