#include <ferry/apps/timetabling/report/CalendarFolder.hpp>

#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/FileNames.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>

namespace timetabling {

namespace {

/// Refuses times of periods.csv that make no calendar: a period without a begin beside others, and lectures that take too long.
void checkTimes(const std::string& path, const Term& term) {
    const WeekNames& names = term.names;
    for (std::size_t i = 0; i < names.periods.size(); ++i) {
        const int number = static_cast<int>(i);
        if (names.periods[i].begin < 0)
            throw InputError(path,
                             fmt::format("expected a begin of each period, found none of '{}' and one of others; give '{}' a begin in "
                                         "periods.csv",
                                         printable(names.periodCell(number)), printable(names.periodCell(number))));
        const LectureTime time = lectureTimeOf(term, number);
        const int end = static_cast<int>((time.begin + time.duration).count());
        const int last = names.endOf(i) < 0 ? 24 * 60 : names.endOf(i);
        if (end > last)
            throw InputError(path, fmt::format("a lecture of {} minutes in period '{}' does not end by {}; give the period an end in "
                                               "periods.csv, or another --lecture",
                                               time.duration.count(), printable(names.periodCell(number)), clockTime(last)));
    }
}

Term checked(const std::string& path, Term term, int dayCount, int periodsPerDay, WeekNames names) {
    term = termOf(std::move(term), dayCount, std::move(names));
    if (term.names.hasTimes()) {
        checkTimes(path, term);
        return term;
    }
    if (term.begin + periodsPerDay * term.period > std::chrono::hours(24))
        throw InputError(path, fmt::format("{} periods of {} minutes from {:02}:{:02} on do not fit into a day", periodsPerDay,
                                           term.period.count(), term.begin.count() / 60, term.begin.count() % 60));
    if (term.lecture > term.period)
        throw InputError(path, "a lecture takes longer than a period: --lecture must not be more than --period");
    return term;
}

}    // namespace

CalendarFolder::CalendarFolder(const std::string& path, Term term, int dayCount, int periodsPerDay, WeekNames names)
    : term_(checked(path, std::move(term), dayCount, periodsPerDay, std::move(names))),
      folder_(path) {}

void CalendarFolder::write(const std::vector<Calendar>& calendars) const {
    FileNames names;
    for (const Calendar& calendar : calendars)
        folder_.write(names.take(calendar.kind, calendar.name, ".ics"), writeCalendar(calendar, term_));
}

}    // namespace timetabling
