#include <ferry/apps/timetabling/curriculum/io/csvTables.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/csvLine.hpp>

namespace timetabling::curriculum {

namespace {

std::string text(std::int64_t number) { return fmt::to_string(number); }

std::string minutesText(int minutes) { return minutes < 0 ? "" : clockTime(minutes); }

}    // namespace

std::vector<NamedText> writeCsvTables(const Instance& instance) {
    const auto courseId = [&](int course) { return instance.courses[static_cast<std::size_t>(course)].id; };
    const auto roomId = [&](int room) { return instance.rooms[static_cast<std::size_t>(room)].id; };
    std::string week = csvLine({"name", "days", "periods", "min_daily_lectures", "max_daily_lectures"});
    week += csvLine({instance.name.empty() ? "unnamed" : instance.name, text(instance.dayCount), text(instance.periodsPerDay),
                     text(instance.minDailyLectures), text(instance.maxDailyLectures)});
    std::string courses = csvLine({"course", "teacher", "lectures", "min_days", "students", "double"});
    for (const Course& course : instance.courses)
        courses += csvLine({course.id, teachersText(course), text(course.lectureCount), text(course.minWorkingDays),
                            text(course.studentCount), text(course.wantsDoubleLectures ? 1 : 0)});
    std::string rooms = csvLine({"room", "seats", "building"});
    for (const Room& room : instance.rooms) rooms += csvLine({room.id, text(room.seatCount), text(room.building)});
    std::string curricula = csvLine({"curriculum", "course"});
    for (const Curriculum& curriculum : instance.curricula) {
        for (const int course : curriculum.courses) curricula += csvLine({curriculum.id, courseId(course)});
    }
    const bool hasClosedRooms = !instance.roomClosings.empty();
    std::vector<std::string> closedHead{"course", "day", "period"};
    if (hasClosedRooms) closedHead.emplace_back("room");
    std::string closed = csvLine(closedHead);
    const auto addClosed = [&](const std::string& course, const std::string& room, int day, int period) {
        std::vector<std::string> cells{course, instance.names.dayCell(day), instance.names.periodCell(period)};
        if (hasClosedRooms) cells.push_back(room);
        closed += csvLine(cells);
    };
    for (const Unavailability& one : instance.unavailabilities) addClosed(courseId(one.course), "", one.day, one.periodOfDay);
    for (const RoomClosing& one : instance.roomClosings) addClosed("", roomId(one.room), one.day, one.periodOfDay);
    std::string unsuitable = csvLine({"course", "room"});
    for (const RoomConstraint& one : instance.roomConstraints) unsuitable += csvLine({courseId(one.course), roomId(one.room)});
    std::vector<NamedText> tables{{"week.csv", week},           {"courses.csv", courses}, {"rooms.csv", rooms},
                                  {"curricula.csv", curricula}, {"closed.csv", closed},   {"unsuitable.csv", unsuitable}};
    const WeekNames& names = instance.names;
    if (!names.days.empty() || !names.offsets.empty()) {
        std::string days = csvLine({"day", "offset"});
        for (int day = 0; day < instance.dayCount; ++day) days += csvLine({names.dayCell(day), text(names.offsetOf(day))});
        tables.push_back({"days.csv", days});
    }
    const std::vector<int>& lunch = instance.lunchPeriods;
    if (!names.periods.empty()) {
        std::string periods = lunch.empty() ? csvLine({"period", "begin", "end"}) : csvLine({"period", "begin", "end", "lunch"});
        for (int i = 0; i < static_cast<int>(names.periods.size()); ++i) {
            const PeriodName& one = names.periods[static_cast<std::size_t>(i)];
            std::vector<std::string> cells{one.name, minutesText(one.begin), minutesText(one.end)};
            if (!lunch.empty()) cells.push_back(std::find(lunch.begin(), lunch.end(), i) == lunch.end() ? "0" : "1");
            periods += csvLine(cells);
        }
        tables.push_back({"periods.csv", periods});
    }
    if (!instance.teacherLimits.empty()) {
        std::string teachers = csvLine({"teacher", "max_days", "max_daily_lectures", "max_in_a_row"});
        for (const TeacherLimits& one : instance.teacherLimits)
            teachers += csvLine({one.teacher, text(one.mostDays), text(one.mostDaily), text(one.mostInARow)});
        tables.push_back({"teachers.csv", teachers});
    }
    if (!instance.students.empty()) {
        std::string enrolments = csvLine({"student", "course"});
        for (const Student& student : instance.students) {
            for (const int course : student.courses) enrolments += csvLine({student.id, courseId(course)});
        }
        tables.push_back({"enrolments.csv", enrolments});
    }
    if (!instance.orders.empty()) {
        std::string orders = csvLine({"before", "after"});
        for (const CourseOrder& one : instance.orders) orders += csvLine({courseId(one.before), courseId(one.after)});
        tables.push_back({"order.csv", orders});
    }
    return tables;
}

}    // namespace timetabling::curriculum
