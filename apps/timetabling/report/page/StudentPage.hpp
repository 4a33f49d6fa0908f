#pragma once

#include <string>

#include <ferry/apps/timetabling/report/page/PageText.hpp>

namespace timetabling {

/// One page for all students, of whom there are too many for a page each: it shows the week of the student whose number is typed, or
/// is the fragment of the address.
std::string writeStudentPage(const TimetableView& view, const WeekAddresses& addresses);

}    // namespace timetabling
