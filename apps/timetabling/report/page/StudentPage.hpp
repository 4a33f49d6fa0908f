#pragma once

#include <string>

#include <ferry/apps/timetabling/report/page/PageText.hpp>

namespace timetabling {

/// Returns one page for all students. There are too many students for a page each.
/// The page shows the week of the student whose number is typed or is the fragment of the address.
std::string writeStudentPage(const TimetableView& view, const WeekAddresses& addresses);

}    // namespace timetabling
