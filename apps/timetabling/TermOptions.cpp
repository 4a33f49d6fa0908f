#include <ferry/apps/timetabling/TermOptions.hpp>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/wholeNumber.hpp>

namespace timetabling {

namespace {

/// Whether the text has the length of the pattern, a digit wherever the pattern has a 9, and the characters of the pattern elsewhere.
bool matches(std::string_view text, std::string_view pattern) {
    return std::equal(text.begin(), text.end(), pattern.begin(), pattern.end(), [](char found, char expected) {
        return expected == '9' ? std::isdigit(static_cast<unsigned char>(found)) != 0 : found == expected;
    });
}

std::chrono::year_month_day dayOf(const std::string& text, const char* option = "--first-day") {
    if (matches(text, "9999-99-99")) {
        const std::chrono::year_month_day day{std::chrono::year(std::stoi(text.substr(0, 4))),
                                              std::chrono::month(static_cast<unsigned>(std::stoi(text.substr(5, 2)))),
                                              std::chrono::day(static_cast<unsigned>(std::stoi(text.substr(8, 2))))};
        if (day.ok() && day.year() >= std::chrono::year(1970)) return day;
    }
    throw CLI::ValidationError(option, "expected a day such as 2026-10-05, found " + printable(text));
}

std::chrono::minutes timeOf(const std::string& text) {
    if (matches(text, "99:99")) {
        const int hours = std::stoi(text.substr(0, 2));
        const int minutes = std::stoi(text.substr(3, 2));
        if (hours < 24 && minutes < 60) return std::chrono::hours(hours) + std::chrono::minutes(minutes);
    }
    throw CLI::ValidationError("--begin", "expected a time such as 08:15, found " + printable(text));
}

}    // namespace

CLI::Option& addDates(CLI::App& command, const std::vector<CLI::Option*>& results, Term& term) {
    constexpr int mostWeeks = 60;
    CLI::Option* firstDay = command.add_option_function<std::string>(
        "--first-day", [&term](const std::string& text) { term.firstDay = dayOf(text); },
        "Day 0 of the first week, such as 2026-10-05, for calendars and for what pages say of today");
    command.callback([firstDay, results] {
        if (firstDay->count() == 0) return;
        std::string names;
        for (const CLI::Option* result : results) {
            if (result->count() > 0) return;
            names += (names.empty() ? "" : result == results.back() ? " or " : ", ") + result->get_name();
        }
        throw CLI::ValidationError("--first-day", "expected " + names + " beside it, which show dates");
    });
    command
        .add_option_function<std::vector<std::string>>(
            "--off",
            [&term](const std::vector<std::string>& texts) {
                for (const std::string& text : texts) {
                    const std::size_t dots = text.find("..");
                    const std::chrono::sys_days first = dayOf(text.substr(0, dots), "--off");
                    const std::chrono::sys_days last =
                        dots == std::string::npos ? first : std::chrono::sys_days(dayOf(text.substr(dots + 2), "--off"));
                    if (last < first)
                        throw CLI::ValidationError("--off", "expected the first day before the last one, found " + printable(text));
                    term.off.push_back({first, last});
                }
            },
            "Days without lectures, such as 2026-11-01,2026-12-21..2027-01-06")
        ->delimiter(',')
        ->needs(firstDay);
    command.add_option("--weeks", term.weekCount, "How many times the week (or a timetable of more days) is repeated [1]")
        ->check(wholeNumber(1, mostWeeks))
        ->needs(firstDay);
    return *firstDay;
}

void addTimes(CLI::App& command, CLI::Option& calendars, CLI::Option& firstDay, Term& term) {
    constexpr int mostMinutes = 24 * 60;
    calendars.needs(&firstDay);
    command
        .add_option_function<std::string>(
            "--begin", [&term](const std::string& text) { term.begin = timeOf(text); }, "When the first period begins [08:00]")
        ->needs(&calendars);
    command
        .add_option_function<int>(
            "--period", [&term](int minutes) { term.period = std::chrono::minutes(minutes); }, "Minutes from one period to the next [60]")
        ->check(wholeNumber(1, mostMinutes))
        ->needs(&calendars);
    command
        .add_option_function<int>(
            "--lecture", [&term](int minutes) { term.lecture = std::chrono::minutes(minutes); }, "Minutes that a lecture takes [a period]")
        ->check(wholeNumber(1, mostMinutes))
        ->needs(&calendars);
    command
        .add_option_function<std::string>(
            "--time-zone",
            [&term](const std::string& name) {
                try {
                    term.zone = TimeZone::named(name);
                } catch (const InputError& error) {
                    throw CLI::ValidationError("--time-zone", error.what());
                }
            },
            "The time zone of the lectures, such as Europe/Rome [UTC]")
        ->needs(&calendars);
}

}    // namespace timetabling
