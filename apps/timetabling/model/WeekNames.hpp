#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace timetabling {

/// The name of a period of the day, and when the period begins and ends.
struct PeriodName {
    std::string name;    ///< may be empty when there are times
    int begin = -1;      ///< minutes after midnight; -1: not given
    int end = -1;        ///< minutes after midnight; -1: not given

    bool operator==(const PeriodName&) const = default;
};

/// Periods of a day.
struct PeriodSpan {
    std::vector<int> periods;
    int unclear = -1;    ///< a period without times, so that nobody can say whether it belongs to the others; -1: there is none
};

/// The names of the days and periods of a timetable. Without names, days and periods are numbers that count from 0.
struct WeekNames {
    std::vector<std::string> days;      ///< indexed by day; empty: the days have no names
    std::vector<int> offsets;           ///< indexed by day: days after the first day in a calendar; empty: each day follows the last
    std::vector<PeriodName> periods;    ///< indexed by period of the day; empty: the periods have no names

    bool operator==(const WeekNames&) const = default;

    /// "Monday", or "day 0".
    std::string day(int day) const;
    /// "Monday", or "Day 0".
    std::string dayTitle(int day) const;
    /// "1st (08:15-09:00)", or "period 0".
    std::string period(int periodOfDay) const;
    /// "1st (08:15-09:00)", or "0".
    std::string periodTitle(int periodOfDay) const;
    /// "Monday", or "0": a cell of a table, which findDay() reads again.
    std::string dayCell(int day) const;
    std::string periodCell(int periodOfDay) const;

    /// Returns the day with this name, or with this number counted from 0. When names are numbers, only names count.
    std::optional<int> findDay(std::string_view text, int dayCount) const;
    /// Returns the period with this name, begin ("08:15"), begin and end ("08:15-09:00") or number counted from 0.
    std::optional<int> findPeriod(std::string_view text, int periodsPerDay) const;
    /// Returns the period that findPeriod() finds, or each period that is at least partly in a span of times such as "08:15-11:00".
    PeriodSpan findPeriods(std::string_view text, int periodsPerDay) const;
    /// Says which period begins with a span of times that findPeriod() refuses for its end. Empty for any other text.
    std::string cureForSpan(std::string_view text) const;

    /// Days after the first day in a calendar.
    int offsetOf(int day) const { return offsets.empty() ? day : offsets[static_cast<std::size_t>(day)]; }
    /// Whether a period has a begin.
    bool hasTimes() const;
    /// The end of the period: the given one, or the next begin that is given. -1: not known.
    int endOf(std::size_t periodOfDay) const;

private:
    std::optional<int> findName(std::string_view text) const;
    /// Whether the period is at least partly between two times. Nothing when its own times are not known well enough.
    std::optional<bool> isWithin(std::size_t periodOfDay, const std::pair<int, int>& span) const;
};

/// Returns "08:15" for minutes after midnight.
std::string clockTime(int minutes);
/// Reads "8:15", "08:15", "08.15", "8h15", "08:15:00" or "8:15 AM". Nothing for another text, nor for "0.25", a time as a part of the day.
std::optional<int> readClockTime(std::string_view text);
/// Reads the begin and the end in "8:15-9:00". Nothing for another text, nor for an end that is not after the begin.
std::optional<std::pair<int, int>> readClockRange(std::string_view text);

}    // namespace timetabling
