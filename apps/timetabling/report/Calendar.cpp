#include <ferry/apps/timetabling/report/Calendar.hpp>

#include <cstddef>
#include <string_view>

#include <fmt/format.h>

namespace timetabling {

namespace {

/// Folds a line of the format: a part has at most 75 bytes, and each further part begins with a space. No UTF-8 character is split.
std::string folded(std::string_view line) {
    constexpr std::size_t mostBytes = 75;
    std::string text;
    std::size_t room = mostBytes;
    while (line.size() > room) {
        std::size_t end = room;
        while (end > 1 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) --end;
        text += fmt::format("{}\r\n ", line.substr(0, end));
        line.remove_prefix(end);
        room = mostBytes - 1;
    }
    return text + std::string(line) + "\r\n";
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char symbol : text) {
        if (symbol == '\n') {
            result += "\\n";
        } else if (static_cast<unsigned char>(symbol) >= ' ') {
            if (symbol == '\\' || symbol == ',' || symbol == ';') result += '\\';
            result += symbol;
        }
    }
    return result;
}

std::string dateOf(std::chrono::year_month_day day) {
    return fmt::format("{:04}{:02}{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                       static_cast<unsigned>(day.day()));
}

std::string timeOf(std::chrono::minutes sinceMidnight) {
    return fmt::format("{:02}{:02}00", sinceMidnight.count() / 60, sinceMidnight.count() % 60);
}

std::string eventLines(const Calendar& calendar, const CalendarEvent& event, const Term& term) {
    const std::chrono::year_month_day day{std::chrono::sys_days(term.firstDay) + std::chrono::days(event.day)};
    const std::chrono::minutes begin = term.begin + event.periodOfDay * term.period;
    std::string text = "BEGIN:VEVENT\r\n";
    text += folded(fmt::format("UID:{}-{}-{}-{}-{}@ferry", escaped(calendar.kind), escaped(calendar.name), escaped(event.title), event.day,
                               event.periodOfDay));
    text += fmt::format("DTSTAMP:{}T000000Z\r\n", dateOf(term.firstDay));
    text += folded(fmt::format("DTSTART;TZID={}:{}T{}", term.zone.name(), dateOf(day), timeOf(begin)));
    text += fmt::format("DURATION:PT{}M\r\n", term.lecture.value_or(term.period).count());
    if (term.weekCount > 1) {
        const std::string interval = term.weeksOfTimetable > 1 ? fmt::format("INTERVAL={};", term.weeksOfTimetable) : "";
        text += fmt::format("RRULE:FREQ=WEEKLY;{}COUNT={}\r\n", interval, term.weekCount);
    }
    text += folded("SUMMARY:" + escaped(event.title));
    text += folded("LOCATION:" + escaped(event.room));
    if (!event.details.empty()) text += folded("DESCRIPTION:" + escaped(event.details));
    return text + "END:VEVENT\r\n";
}

}    // namespace

std::string writeCalendar(const Calendar& calendar, const Term& term) {
    std::string text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Ferry//timetabling//EN\r\n";
    text += folded(fmt::format("X-WR-CALNAME:{} {}", escaped(calendar.kind), escaped(calendar.name)));
    text += term.zone.lines();
    for (const CalendarEvent& event : calendar.events) text += eventLines(calendar, event, term);
    return text + "END:VCALENDAR\r\n";
}

}    // namespace timetabling
