#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/report/TimeZone.hpp>

namespace timetabling {

/// A lecture or an event, at the same time in each repetition of the timetable.
struct CalendarEvent {
    int day = 0;            ///< of the timetable, counted from 0
    int periodOfDay = 0;    ///< counted from 0
    std::string title;
    std::string room;
    std::string details;
};

/// The events of one room, teacher or curriculum.
struct Calendar {
    std::string kind;    ///< "room", say
    std::string name;
    std::vector<CalendarEvent> events;
};

/// When the days and periods of a timetable are.
struct Term {
    std::chrono::year_month_day firstDay{};           ///< day 0 of the first week
    int weekCount = 1;                                ///< how often the timetable is repeated
    int weeksOfTimetable = 1;                         ///< in which it goes through its days
    std::chrono::minutes begin{8 * 60};               ///< of the first period, after midnight
    std::chrono::minutes period{60};                  ///< from the begin of one to that of the next
    std::optional<std::chrono::minutes> lecture{};    ///< none: a whole period
    TimeZone zone = TimeZone::utc();
};

/// The calendar in the format iCalendar (RFC 5545), to be imported by programs for calendars: an event for each lecture, repeated with the
/// timetable.
std::string writeCalendar(const Calendar& calendar, const Term& term);

}    // namespace timetabling
