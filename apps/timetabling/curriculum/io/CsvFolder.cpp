#include <ferry/apps/timetabling/curriculum/io/CsvFolder.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/io/CsvReader.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/csvLine.hpp>

namespace timetabling::curriculum {

namespace {

using NumberOf = std::unordered_map<std::string, int>;

class FolderReader {
public:
    explicit FolderReader(const std::string& path) : path_(path) {}

    Instance read() {
        readWeek();
        readCourses();
        readRooms();
        if (isThere("curricula.csv")) readCurricula();
        if (isThere("closed.csv")) readClosed();
        if (isThere("unsuitable.csv")) readUnsuitable();
        return std::move(instance_);
    }

private:
    std::string pathOf(const char* name) const { return (std::filesystem::path(path_) / name).string(); }
    bool isThere(const char* name) const { return std::filesystem::exists(pathOf(name)); }
    CsvReader table(const char* name, const std::vector<std::string>& needed, const std::vector<std::string>& optional = {}) const {
        return CsvReader(TextFile::load(pathOf(name)), needed, optional);
    }

    void readWeek();
    void readCourses();
    void readRooms();
    void readCurricula();
    void readClosed();
    void readUnsuitable();
    void close(int course, int day, const CsvReader& table);

    /// Returns the number of the name in the column. Refuses a name that does not exist.
    static int numberOf(const NumberOf& numbers, const CsvReader& table, const char* kind) {
        const auto found = numbers.find(table.text(kind));
        if (found == numbers.end()) table.fail(kind, fmt::format("a {} of this instance", kind));
        return found->second;
    }

    const std::string& path_;
    Instance instance_;
    NumberOf courses_;
    NumberOf rooms_;
};

void FolderReader::readWeek() {
    CsvReader week = table("week.csv", {"name", "days", "periods"}, {"min_daily_lectures", "max_daily_lectures"});
    if (!week.next()) throw InputError(pathOf("week.csv"), "expected a row below the head, found none");
    instance_.name = week.text("name");
    instance_.dayCount = week.number("days", 1, limits::DayCount);
    instance_.periodsPerDay = week.number("periods", 1, limits::PeriodsPerDay);
    if (week.has("min_daily_lectures")) instance_.minDailyLectures = week.number("min_daily_lectures", 0, limits::PeriodsPerDay);
    if (week.has("max_daily_lectures"))
        instance_.maxDailyLectures = week.number("max_daily_lectures", instance_.minDailyLectures, limits::LecturesPerCourse);
    if (week.next()) week.fail("name", "one row");
}

void FolderReader::readCourses() {
    CsvReader courses = table("courses.csv", {"course", "teacher", "lectures", "min_days", "students"}, {"double"});
    std::int64_t lectureCount = 0;
    while (courses.next()) {
        Course course;
        course.id = courses.name("course");
        course.teacher = courses.text("teacher");
        course.lectureCount = courses.number("lectures", 1, limits::LecturesPerCourse);
        course.minWorkingDays = courses.number("min_days", 0, limits::LecturesPerCourse);
        course.studentCount = courses.number("students", 0, limits::PeopleOrSeats);
        course.wantsDoubleLectures = courses.has("double") && courses.number("double", 0, 1) == 1;
        lectureCount += course.lectureCount;
        if (!courses_.try_emplace(course.id, static_cast<int>(courses_.size())).second) courses.fail("course", "each course once");
        if (courses_.size() > limits::CourseCount) courses.fail("course", fmt::format("at most {} courses", limits::CourseCount));
        if (lectureCount > limits::LectureCount) courses.fail("lectures", fmt::format("at most {} lectures in all", limits::LectureCount));
        instance_.courses.push_back(std::move(course));
    }
}

void FolderReader::readRooms() {
    CsvReader rooms = table("rooms.csv", {"room", "seats"}, {"building"});
    NumberOf buildings;
    while (rooms.next()) {
        Room room{rooms.name("room"), rooms.number("seats", 0, limits::PeopleOrSeats), 0};
        if (rooms.has("building"))
            room.building = buildings.try_emplace(rooms.text("building"), static_cast<int>(buildings.size())).first->second;
        if (!rooms_.try_emplace(room.id, static_cast<int>(rooms_.size())).second) rooms.fail("room", "each room once");
        if (rooms_.size() > limits::RoomCount) rooms.fail("room", fmt::format("at most {} rooms", limits::RoomCount));
        instance_.rooms.push_back(std::move(room));
    }
}

void FolderReader::readCurricula() {
    CsvReader curricula = table("curricula.csv", {"curriculum", "course"});
    NumberOf numbers;
    while (curricula.next()) {
        const std::string& id = curricula.text("curriculum");
        const auto [place, isNew] = numbers.try_emplace(id, static_cast<int>(numbers.size()));
        if (numbers.size() > limits::CurriculumCount)
            curricula.fail("curriculum", fmt::format("at most {} curricula", limits::CurriculumCount));
        if (isNew) instance_.curricula.push_back({id, {}});
        std::vector<int>& members = instance_.curricula[static_cast<std::size_t>(place->second)].courses;
        const int course = numberOf(courses_, curricula, "course");
        if (std::find(members.begin(), members.end(), course) != members.end())
            curricula.fail("course", "each course once in a curriculum");
        members.push_back(course);
    }
}

void FolderReader::readClosed() {
    CsvReader closed = table("closed.csv", {"day"}, {"course", "teacher", "period"});
    std::unordered_map<std::string, std::vector<int>> coursesOfTeacher;
    for (std::size_t course = 0; course < instance_.courses.size(); ++course)
        coursesOfTeacher[instance_.courses[course].teacher].push_back(static_cast<int>(course));
    while (closed.next()) {
        if (closed.has("course") == closed.has("teacher")) closed.fail("course", "either a course or a teacher");
        const int day = closed.number("day", 0, instance_.dayCount - 1);
        if (closed.has("course")) {
            close(numberOf(courses_, closed, "course"), day, closed);
            continue;
        }
        const auto taught = coursesOfTeacher.find(closed.text("teacher"));
        if (taught == coursesOfTeacher.end()) closed.fail("teacher", "a teacher of this instance");
        for (const int course : taught->second) close(course, day, closed);
    }
}

/// Closes the period of the row to the course, or the whole day.
void FolderReader::close(int course, int day, const CsvReader& table) {
    const bool isOne = table.has("period");
    const int first = isOne ? table.number("period", 0, instance_.periodsPerDay - 1) : 0;
    const int last = isOne ? first : instance_.periodsPerDay - 1;
    for (int period = first; period <= last; ++period) instance_.unavailabilities.push_back({course, day, period});
    if (instance_.unavailabilities.size() > limits::UnavailabilityCount)
        table.fail("day", fmt::format("at most {} closed periods in all", limits::UnavailabilityCount));
}

void FolderReader::readUnsuitable() {
    CsvReader unsuitable = table("unsuitable.csv", {"course", "room"});
    while (unsuitable.next()) {
        instance_.roomConstraints.push_back({numberOf(courses_, unsuitable, "course"), numberOf(rooms_, unsuitable, "room")});
        if (instance_.roomConstraints.size() > limits::RoomConstraintCount)
            unsuitable.fail("room", fmt::format("at most {} rows", limits::RoomConstraintCount));
    }
}

std::string text(std::int64_t number) { return fmt::to_string(number); }

}    // namespace

Instance readCsvFolder(const std::string& path) {
    Instance instance = FolderReader(path).read();
    try {
        checkInstance(instance);
    } catch (const std::invalid_argument& error) {
        throw InputError(path, error.what());
    }
    return instance;
}

std::vector<NamedText> writeCsvTables(const Instance& instance) {
    const auto courseId = [&](int course) { return instance.courses[static_cast<std::size_t>(course)].id; };
    std::string week = csvLine({"name", "days", "periods", "min_daily_lectures", "max_daily_lectures"});
    week += csvLine({instance.name.empty() ? "unnamed" : instance.name, text(instance.dayCount), text(instance.periodsPerDay),
                     text(instance.minDailyLectures), text(instance.maxDailyLectures)});
    std::string courses = csvLine({"course", "teacher", "lectures", "min_days", "students", "double"});
    for (const Course& course : instance.courses)
        courses += csvLine({course.id, course.teacher, text(course.lectureCount), text(course.minWorkingDays), text(course.studentCount),
                            text(course.wantsDoubleLectures ? 1 : 0)});
    std::string rooms = csvLine({"room", "seats", "building"});
    for (const Room& room : instance.rooms) rooms += csvLine({room.id, text(room.seatCount), text(room.building)});
    std::string curricula = csvLine({"curriculum", "course"});
    for (const Curriculum& curriculum : instance.curricula) {
        for (const int course : curriculum.courses) curricula += csvLine({curriculum.id, courseId(course)});
    }
    std::string closed = csvLine({"course", "day", "period"});
    for (const Unavailability& one : instance.unavailabilities)
        closed += csvLine({courseId(one.course), text(one.day), text(one.periodOfDay)});
    std::string unsuitable = csvLine({"course", "room"});
    for (const RoomConstraint& one : instance.roomConstraints)
        unsuitable += csvLine({courseId(one.course), instance.rooms[static_cast<std::size_t>(one.room)].id});
    return {{"week.csv", week},           {"courses.csv", courses}, {"rooms.csv", rooms},
            {"curricula.csv", curricula}, {"closed.csv", closed},   {"unsuitable.csv", unsuitable}};
}

}    // namespace timetabling::curriculum
