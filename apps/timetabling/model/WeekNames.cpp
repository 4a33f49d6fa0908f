#include <ferry/apps/timetabling/model/WeekNames.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>

#include <fmt/format.h>

#include <ferry/apps/timetabling/model/foldedName.hpp>
#include <ferry/apps/timetabling/model/withoutZeroFraction.hpp>

namespace timetabling {

namespace {

constexpr int minutesOfHour = 60;
constexpr int minutesOfDay = 24 * minutesOfHour;

std::optional<int> wholeNumberOf(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<int> numberBelow(std::string_view text, int count) {
    const std::optional<int> value = wholeNumberOf(withoutZeroFraction(text));
    return value && *value >= 0 && *value < count ? value : std::nullopt;
}

bool isNumber(std::string_view name) { return wholeNumberOf(withoutZeroFraction(name)).has_value(); }

/// Returns the place of the name in the list. A spreadsheet may have given a number a zero fraction, in the list or in the text.
std::optional<int> findIn(const std::vector<std::string_view>& names, std::string_view text) {
    const auto find = [&](const auto& isSame) -> std::optional<int> {
        const auto found = std::find_if(names.begin(), names.end(), isSame);
        return found == names.end() ? std::nullopt : std::optional(static_cast<int>(found - names.begin()));
    };
    const std::string folded = foldedName(text);
    if (const auto same = find([&](std::string_view name) { return !name.empty() && foldedName(name) == folded; })) return same;
    return find([&](std::string_view name) { return isNumber(name) && withoutZeroFraction(name) == withoutZeroFraction(text); });
}

std::string timesOf(const PeriodName& period) {
    if (period.begin < 0) return {};
    return period.end < 0 ? clockTime(period.begin) : fmt::format("{}-{}", clockTime(period.begin), clockTime(period.end));
}

std::string textOf(const PeriodName& period) {
    const std::string times = timesOf(period);
    if (period.name.empty() || times.empty()) return period.name + times;
    return fmt::format("{} ({})", period.name, times);
}

}    // namespace

std::string WeekNames::day(int day) const { return days.empty() ? fmt::format("day {}", day) : days[static_cast<std::size_t>(day)]; }

std::string WeekNames::dayTitle(int day) const { return days.empty() ? fmt::format("Day {}", day) : this->day(day); }

std::string WeekNames::period(int periodOfDay) const {
    const std::string text = periods.empty() ? std::string() : textOf(periods[static_cast<std::size_t>(periodOfDay)]);
    return text.empty() || numberBelow(text, minutesOfDay) ? "period " + periodTitle(periodOfDay) : text;
}

std::string WeekNames::periodTitle(int periodOfDay) const {
    const std::string text = periods.empty() ? std::string() : textOf(periods[static_cast<std::size_t>(periodOfDay)]);
    return text.empty() ? fmt::to_string(periodOfDay) : text;
}

std::string WeekNames::dayCell(int day) const { return days.empty() ? fmt::to_string(day) : this->day(day); }

std::string WeekNames::periodCell(int periodOfDay) const {
    if (periods.empty()) return fmt::to_string(periodOfDay);
    const PeriodName& period = periods[static_cast<std::size_t>(periodOfDay)];
    if (!period.name.empty()) return period.name;
    return period.begin < 0 ? fmt::to_string(periodOfDay) : clockTime(period.begin);
}

std::optional<int> WeekNames::findDay(std::string_view text, int dayCount) const {
    if (const auto named = findIn({days.begin(), days.end()}, text)) return named;
    return std::any_of(days.begin(), days.end(), isNumber) ? std::nullopt : numberBelow(text, dayCount);
}

std::optional<int> WeekNames::findName(std::string_view text) const {
    std::vector<std::string_view> names;
    for (const PeriodName& period : periods) names.emplace_back(period.name);
    if (const auto named = findIn(names, text)) return named;
    for (std::size_t i = 0; i < periods.size(); ++i) {
        if (!text.empty() && textOf(periods[i]) == text) return static_cast<int>(i);
    }
    return std::nullopt;
}

std::optional<int> WeekNames::findPeriod(std::string_view text, int periodsPerDay) const {
    if (const auto named = findName(text)) return named;
    const auto span = readClockRange(text);
    const std::optional<int> time = span ? span->first : readClockTime(text);
    bool areNumbers = false;
    for (std::size_t i = 0; i < periods.size(); ++i) {
        areNumbers = areNumbers || isNumber(periods[i].name);
        if (!time || periods[i].begin != *time) continue;
        const int end = endOf(i);
        // A period without an end of its own ends before the next one begins.
        if (!span || end < 0 || (periods[i].end < 0 ? span->second <= end : span->second == end)) return static_cast<int>(i);
    }
    return areNumbers ? std::nullopt : numberBelow(text, periodsPerDay);
}

PeriodSpan WeekNames::findPeriods(std::string_view text, int periodsPerDay) const {
    PeriodSpan found;
    if (const auto one = findPeriod(text, periodsPerDay)) found.periods.push_back(*one);
    const auto span = readClockRange(text);
    if (!span || !found.periods.empty()) return found;
    for (std::size_t i = 0; i < periods.size(); ++i) {
        const std::optional<bool> isPart = isWithin(i, *span);
        if (!isPart) found.unclear = static_cast<int>(i);
        if (isPart.value_or(false)) found.periods.push_back(static_cast<int>(i));
    }
    return found;
}

std::optional<bool> WeekNames::isWithin(std::size_t periodOfDay, const std::pair<int, int>& span) const {
    const PeriodName& period = periods[periodOfDay];
    int first = std::max(period.begin, 0);    // no earlier than this the period begins
    for (std::size_t i = 0; i < periodOfDay && period.begin < 0; ++i) first = std::max({first, periods[i].begin, periods[i].end});
    const int end = endOf(periodOfDay);
    const int last = end < 0 ? minutesOfDay : end;
    if (last <= span.first || first >= span.second) return false;
    if (period.begin >= 0) return end >= 0 || first >= span.first ? std::optional(true) : std::nullopt;
    return first >= span.first && last <= span.second ? std::optional(true) : std::nullopt;
}

int WeekNames::endOf(std::size_t periodOfDay) const {
    if (periods[periodOfDay].end >= 0) return periods[periodOfDay].end;
    for (std::size_t next = periodOfDay + 1; next < periods.size(); ++next) {
        if (periods[next].begin >= 0) return periods[next].begin;
    }
    return -1;
}

std::string WeekNames::cureForSpan(std::string_view text) const {
    const auto span = readClockRange(text);
    const auto found =
        std::find_if(periods.begin(), periods.end(), [&](const PeriodName& one) { return span && one.begin == span->first; });
    return found == periods.end() ? "" : fmt::format("; a row has one period, and '{}' begins then", textOf(*found));
}

bool WeekNames::hasTimes() const {
    return std::any_of(periods.begin(), periods.end(), [](const PeriodName& one) { return one.begin >= 0; });
}

std::string clockTime(int minutes) { return fmt::format("{:02}:{:02}", minutes / minutesOfHour, minutes % minutesOfHour); }

std::optional<int> readClockTime(std::string_view text) {
    constexpr int noon = 12;
    // The half of the day behind the time: '1:15 PM', '1:15 p.m.'.
    std::string half;
    while (!text.empty() && std::string_view("aApPmM. ").find(text.back()) != std::string_view::npos) {
        if (text.back() != '.' && text.back() != ' ') half.insert(half.begin(), static_cast<char>(std::tolower(text.back())));
        text.remove_suffix(1);
    }
    if (!half.empty() && half != "am" && half != "pm") return std::nullopt;
    const std::size_t point = text.find_first_of(":.hH");
    if (point == std::string_view::npos) return std::nullopt;
    // A spreadsheet that shows times as numbers has 0.25 for 6:00.
    if (text.starts_with("0.")) return std::nullopt;
    std::optional<int> hours = wholeNumberOf(text.substr(0, point));
    std::string_view rest = text.substr(point + 1);
    if (rest.size() == 5 && rest[2] == ':') rest = rest.substr(0, 2);    // seconds
    const std::optional<int> minutes = wholeNumberOf(rest);
    if (!hours || !minutes || rest.size() != 2 || *hours < 0 || *hours > 24 || *minutes < 0 || *minutes >= minutesOfHour)
        return std::nullopt;
    if (!half.empty() && (*hours < 1 || *hours > noon)) return std::nullopt;
    if (!half.empty()) hours = *hours % noon + (half == "pm" ? noon : 0);
    const int sum = *hours * minutesOfHour + *minutes;
    return sum <= minutesOfDay ? std::optional(sum) : std::nullopt;
}

std::optional<std::pair<int, int>> readClockRange(std::string_view text) {
    constexpr std::string_view longDash = "\xE2\x80\x93";
    std::size_t dash = text.find('-');
    std::size_t bytes = 1;
    if (dash == std::string_view::npos) {
        dash = text.find(longDash);
        bytes = longDash.size();
    }
    if (dash == std::string_view::npos) return std::nullopt;
    const auto withoutBlanks = [](std::string_view part) {
        part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
        return part.substr(0, part.find_last_not_of(' ') + 1);
    };
    const std::optional<int> begin = readClockTime(withoutBlanks(text.substr(0, dash)));
    const std::optional<int> end = readClockTime(withoutBlanks(text.substr(dash + bytes)));
    if (!begin || !end || *end <= *begin) return std::nullopt;
    return std::pair(*begin, *end);
}

}    // namespace timetabling
