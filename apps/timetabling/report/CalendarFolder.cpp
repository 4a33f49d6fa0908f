#include <ferry/apps/timetabling/report/CalendarFolder.hpp>

#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/FileNames.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>

namespace timetabling {

namespace {

Term checked(const std::string& path, Term term, int dayCount, int periodsPerDay, WeekNames names) {
    term = termOf(std::move(term), dayCount, std::move(names));
    if (term.names.hasTimes()) return term;
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
