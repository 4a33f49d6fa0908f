#pragma once

#include <ferry/apps/timetabling/report/page/PageText.hpp>

namespace timetabling {

/// Adds the days of the timetable, each with a link to its page and its number of lectures.
///
/// The script of the page asks the browser for the date. It marks today, gives the days of this week their dates, and lists what takes
/// place today. A page without dates of the term compares the names of its days with those of the week in several languages.
/// Where neither is known, the page says so.
void addThisWeek(PageText& page, const TimetableView& view, const WeekAddresses& addresses);

}    // namespace timetabling
