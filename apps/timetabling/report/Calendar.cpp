#include <ferry/apps/timetabling/report/Calendar.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/decodedText.hpp>

namespace timetabling {

namespace {

/// Folds a line of the format: a part has at most 75 bytes, and each further part begins with a space. No UTF-8 character is split.
std::string folded(std::string_view line) {
    constexpr std::size_t mostBytes = 75;
    std::string text;
    std::size_t room = mostBytes;
    while (line.size() > room) {
        std::size_t end = room;
        while ((static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) --end;    // the line is UTF-8
        text += fmt::format("{}\r\n ", line.substr(0, end));
        line.remove_prefix(end);
        room = mostBytes - 1;
    }
    return text + std::string(line) + "\r\n";
}

/// Escapes a text of the format, which allows no control characters. Ends of line stay, a tab becomes a blank, all others are left out.
std::string escaped(std::string_view text) {
    constexpr char deleteCharacter = 0x7F;
    std::string result;
    char before = 0;
    for (const char symbol : asUtf8(text)) {
        const bool isControl = static_cast<unsigned char>(symbol) < ' ' || symbol == deleteCharacter;
        if (symbol == '\r' || (symbol == '\n' && before != '\r')) {
            result += "\\n";
        } else if (symbol == '\t') {
            result += ' ';
        } else if (!isControl) {
            if (symbol == '\\' || symbol == ',' || symbol == ';') result += '\\';
            result += symbol;
        }
        before = symbol;
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

bool isOff(std::chrono::sys_days day, const Term& term) {
    return std::any_of(term.off.begin(), term.off.end(), [day](const DaysOff& off) { return off.first <= day && day <= off.last; });
}

/// Returns the lines about when the calendar was written, so that a program replaces what it has by what is newer.
std::string versionLines(const Term& term) {
    if (!term.written) return fmt::format("DTSTAMP:{}T000000Z\r\n", dateOf(term.firstDay));
    const auto day = std::chrono::floor<std::chrono::days>(*term.written);
    const auto seconds = (*term.written - day).count();
    const auto minutes = std::chrono::floor<std::chrono::minutes>(term.written->time_since_epoch()).count();
    constexpr int minute = 60;
    return fmt::format("DTSTAMP:{}T{}{:02}Z\r\nSEQUENCE:{}\r\n", dateOf(day), timeOf(std::chrono::minutes(seconds / minute)).substr(0, 4),
                       seconds % minute, minutes);
}

/// 'number' counts the events of this title in the calendar. Empty when all repetitions of the event are on days off.
std::string eventLines(const Calendar& calendar, const CalendarEvent& event, int number, const Term& term) {
    constexpr int daysOfWeek = 7;
    const std::chrono::sys_days first = std::chrono::sys_days(term.firstDay) + std::chrono::days(term.names.offsetOf(event.day));
    const auto [begin, duration] = lectureTimeOf(term, event.periodOfDay);
    std::string left;
    int leftCount = 0;
    for (int week = 0; week < term.weekCount; ++week) {
        const std::chrono::sys_days day = first + std::chrono::days(week * term.weeksOfTimetable * daysOfWeek);
        if (!isOff(day, term)) continue;
        left += folded(fmt::format("EXDATE;TZID={}:{}T{}", term.zone.name(), dateOf(day), timeOf(begin)));
        ++leftCount;
    }
    if (leftCount == term.weekCount) return {};
    std::string text = "BEGIN:VEVENT\r\n";
    text += folded(fmt::format("UID:{}-{}-{}-{}-{}@ferry", escaped(calendar.kind), escaped(calendar.name), escaped(event.title), number,
                               dateOf(term.firstDay)));
    text += versionLines(term);
    text += folded(fmt::format("DTSTART;TZID={}:{}T{}", term.zone.name(), dateOf(first), timeOf(begin)));
    text += fmt::format("DURATION:PT{}M\r\n", duration.count());
    if (term.weekCount > 1) {
        const std::string interval = term.weeksOfTimetable > 1 ? fmt::format("INTERVAL={};", term.weeksOfTimetable) : "";
        text += fmt::format("RRULE:FREQ=WEEKLY;{}COUNT={}\r\n", interval, term.weekCount);
    }
    text += left;
    text += folded("SUMMARY:" + escaped(event.title));
    text += folded("LOCATION:" + escaped(event.room));
    if (!event.details.empty()) text += folded("DESCRIPTION:" + escaped(event.details));
    return text + "END:VEVENT\r\n";
}

}    // namespace

LectureTime lectureTimeOf(const Term& term, int periodOfDay) {
    const auto number = static_cast<std::size_t>(periodOfDay);
    LectureTime time{term.begin + periodOfDay * term.period, term.lecture.value_or(term.period)};
    if (term.names.periods.empty() || term.names.periods[number].begin < 0) return time;
    const PeriodName& period = term.names.periods[number];
    const int end = term.names.endOf(number);
    time.begin = std::chrono::minutes(period.begin);
    if (period.end >= 0 || (end >= 0 && !term.lecture)) time.duration = std::chrono::minutes(end - period.begin);
    return time;
}

Term termOf(Term term, int dayCount, WeekNames names) {
    constexpr int daysOfWeek = 7;
    term.names = std::move(names);
    term.weeksOfTimetable = term.names.offsetOf(dayCount - 1) / daysOfWeek + 1;
    return term;
}

std::string isoDate(std::chrono::year_month_day day) {
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                       static_cast<unsigned>(day.day()));
}

std::string writeCalendar(const Calendar& calendar, const Term& term) {
    std::string text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Ferry//timetabling//EN\r\n";
    text += folded(fmt::format("X-WR-CALNAME:{} {}", escaped(calendar.kind), escaped(calendar.name)));
    text += term.zone.lines();
    std::map<std::string, int> numbers;
    for (const CalendarEvent& event : calendar.events) text += eventLines(calendar, event, numbers[event.title]++, term);
    return text + "END:VCALENDAR\r\n";
}

}    // namespace timetabling
