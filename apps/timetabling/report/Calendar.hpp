#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/model/WeekNames.hpp>
#include <ferry/apps/timetabling/report/TimeZone.hpp>

namespace timetabling {

/// A lecture or an event, at the same time in each repetition of the timetable.
struct CalendarEvent {
    int day = 0;            ///< day of the timetable, counted from 0
    int periodOfDay = 0;    ///< counted from 0
    std::string title;
    std::string room;
    std::string details;
};

/// The events of one room, teacher or curriculum.
struct Calendar {
    std::string kind;    ///< for example "room"
    std::string name;
    std::vector<CalendarEvent> events;
};

/// The first and the last day of a time without lectures.
struct DaysOff {
    std::chrono::sys_days first;
    std::chrono::sys_days last;
};

/// The dates and times of the days and periods of a timetable.
struct Term {
    std::chrono::year_month_day firstDay{};           ///< day 0 of the first week
    int weekCount = 1;                                ///< number of repetitions of the timetable
    int weeksOfTimetable = 1;                         ///< number of weeks that the days of the timetable fill
    std::chrono::minutes begin{8 * 60};               ///< begin of the first period, as time after midnight
    std::chrono::minutes period{60};                  ///< time from the begin of one period to the begin of the next one
    std::optional<std::chrono::minutes> lecture{};    ///< duration of a lecture; without a value, a whole period
    TimeZone zone = TimeZone::utc();
    std::vector<DaysOff> off{};                           ///< days without lectures
    std::optional<std::chrono::sys_seconds> written{};    ///< when the calendar is written; without a value, the begin of the first day
    WeekNames names{};    ///< times of its periods replace begin, period and lecture; offsets of its days say when the days are
};

/// When the lectures of a period of the day begin, as time after midnight, and how long they take.
struct LectureTime {
    std::chrono::minutes begin{};
    std::chrono::minutes duration{};
};

/// Returns the times of a period: those of its name. Without an end there, a lecture takes as long as Term::lecture says, or lasts until
/// the next period begins, or takes a period. A period without a begin begins where Term::begin and Term::period say.
LectureTime lectureTimeOf(const Term& term, int periodOfDay);
/// Returns the term for a timetable of dayCount days, which may fill several weeks.
Term termOf(Term term, int dayCount, WeekNames names);
/// Returns "2026-10-05".
std::string isoDate(std::chrono::year_month_day day);

/// Returns the calendar in the format iCalendar (RFC 5545), for import into calendar programs.
/// Each lecture is one event that repeats with the timetable. Its UID holds the course, the number of the lecture and the first day:
/// so another term does not replace it, and a calendar that is written again does.
std::string writeCalendar(const Calendar& calendar, const Term& term);

}    // namespace timetabling
