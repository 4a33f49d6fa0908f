#include <ferry/apps/timetabling/curriculum/io/NamesOfInstance.hpp>

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/closestName.hpp>

namespace timetabling::curriculum {

namespace {

int numberIn(const std::unordered_map<std::string, int>& numbers, std::string_view name) {
    const auto found = numbers.find(NamesOfInstance::plain(name));
    return found == numbers.end() ? -1 : found->second;
}

}    // namespace

NamesOfInstance::NamesOfInstance(const Problem& problem) : problem_(problem) {
    for (int course = 0; course < problem.courseCount(); ++course) courses_.emplace(plain(problem.course(course).id), course);
    for (int room = 0; room < problem.roomCount(); ++room) rooms_.emplace(plain(problem.room(room).id), room);
}

std::string NamesOfInstance::plain(std::string_view name) {
    std::string result(name);
    std::replace(result.begin(), result.end(), ' ', '_');
    return result;
}

int NamesOfInstance::course(std::string_view name) const { return numberIn(courses_, name); }

int NamesOfInstance::room(std::string_view name) const { return numberIn(rooms_, name); }

int NamesOfInstance::courseOf(const TimetableRows& rows, const TimetableRow& row) const {
    const int number = course(row.item);
    if (number < 0) rows.fail(row, "course", "a course of this instance", row.item, likeCourse(row.item));
    return number;
}

int NamesOfInstance::roomOf(const TimetableRows& rows, const TimetableRow& row) const {
    const int number = room(row.room);
    if (number >= 0) return number;
    std::vector<std::string> names;
    for (int room = 0; room < problem_.roomCount(); ++room) names.push_back(problem_.room(room).id);
    rows.fail(row, "room", "a room of this instance", row.room, meantInstead(row.room, names));
}

std::string NamesOfInstance::likeCourse(std::string_view name) const {
    std::vector<std::string> names;
    for (int course = 0; course < problem_.courseCount(); ++course) names.push_back(problem_.course(course).id);
    return meantInstead(name, names);
}

int NamesOfInstance::periodOf(const TimetableRows& rows, const TimetableRow& row) const {
    const std::vector<std::string>& days = problem_.instance().names.days;
    const bool areNumbers = days.empty() || rows.countsFromZero();
    const auto day = findDay(rows, row);
    if (!day)
        rows.fail(row, "day", areNumbers ? fmt::format("a whole number from 0 to {}", problem_.dayCount() - 1) : "a day of days.csv",
                  row.day, areNumbers ? "" : meantInstead(row.day, days));
    const auto period = findPeriod(rows, row);
    if (!period) rows.fail(row, "period", wantedPeriod(rows), row.period);
    return *day * problem_.periodsPerDay() + *period;
}

std::optional<int> NamesOfInstance::findDay(const TimetableRows& rows, const TimetableRow& row) const {
    return namesFor(rows, row.day).findDay(row.day, problem_.dayCount());
}

std::optional<int> NamesOfInstance::findPeriod(const TimetableRows& rows, const TimetableRow& row) const {
    const WeekNames& names = namesFor(rows, row.period);
    const auto period = names.findPeriod(row.period, problem_.periodsPerDay());
    const std::string cure = period ? "" : names.cureForSpan(row.period);
    if (!cure.empty()) rows.fail(row, "period", wantedPeriod(rows), row.period, cure);
    return period;
}

/// The names that may be meant by the text: none where the text is a number that counts from 0.
const WeekNames& NamesOfInstance::namesFor(const TimetableRows& rows, const std::string& text) const {
    static const WeekNames none;
    return rows.countsFromZero() && text.find_first_not_of("0123456789.,-") == std::string::npos ? none : problem_.instance().names;
}

std::string NamesOfInstance::wantedPeriod(const TimetableRows& rows) const {
    return problem_.instance().names.periods.empty() || rows.countsFromZero()
               ? fmt::format("a whole number from 0 to {}", problem_.periodsPerDay() - 1)
               : "a period of periods.csv, by its name or its begin";
}

}    // namespace timetabling::curriculum
