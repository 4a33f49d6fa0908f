#include <ferry/apps/timetabling/curriculum/io/CsvFolder.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/apps/timetabling/curriculum/io/FolderFiles.hpp>
#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/io/CsvReader.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/InputProblems.hpp>
#include <ferry/apps/timetabling/io/closestName.hpp>
#include <ferry/apps/timetabling/io/csvLine.hpp>
#include <ferry/apps/timetabling/model/counted.hpp>

namespace timetabling::curriculum {

namespace {

using NumberOf = std::unordered_map<std::string, int>;

constexpr std::size_t mostNotes = 50;
constexpr int mostDaysPerWeek = 7;

/// Returns the parts of a cell between ';', '&' or '+', without blanks at their ends.
std::vector<std::string> partsOf(const std::string& cell) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= cell.size();) {
        const std::size_t end = std::min(cell.find_first_of(";&+", begin), cell.size());
        const std::string part = cell.substr(begin, end - begin);
        const std::size_t first = part.find_first_not_of(' ');
        if (first != std::string::npos) parts.push_back(part.substr(first, part.find_last_not_of(' ') + 1 - first));
        begin = end + 1;
    }
    return parts;
}

/// The names in a cell that lists several in another way than partsOf() knows: with ',' or '/' between them, or the word "and" in some
/// languages. Empty when the cell has one name.
std::vector<std::string> listedNames(std::string name) {
    for (const std::string_view word : {" and ", " und ", " et ", " e ", " y ", " og ", " en "}) {
        for (std::size_t at = name.find(word); at != std::string::npos; at = name.find(word, at)) name.replace(at, word.size(), ";");
    }
    for (char& letter : name) {
        if (letter == ',' || letter == '/') letter = ';';
    }
    std::vector<std::string> names = partsOf(name);
    if (names.size() < 2) names.clear();
    return names;
}

/// The cure for a name that does not exist: a cell may list several names, or be much like one of the names.
std::string cureFor(const std::string& cell, const std::vector<std::string>& names) {
    const std::vector<std::string> listed = listedNames(cell);
    const bool isList = std::any_of(listed.begin(), listed.end(), [&](const std::string& part) {
        return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return foldedName(name) == foldedName(part); });
    });
    return isList ? "; write a row for each" : meantInstead(cell, names);
}

std::string withoutBlanks(std::string name) {
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
}

class FolderReader {
public:
    explicit FolderReader(const std::string& path) : path_(path), files_(path, problems_, instance_.notes) {}

    Instance read();

private:
    /// Reads the rows of a table. Keeps all errors. Returns whether there was none, also when the table is not there.
    template <class ReadRow>
    bool readTable(const char* name, const std::vector<std::string>& needed, const std::vector<std::string>& optional, ReadRow readRow);
    void requireTable(const char* name);
    void requireRow(const char* name);

    void readDays();
    void readPeriods();
    void readWeek();
    void readWeekRow(const CsvReader& week);
    void setCount(const CsvReader& week, const char* column, const char* table, std::size_t rows, int most, int& count);
    void readCourses();
    void readCourse(const CsvReader& courses);
    void readRooms();
    void readRoom(const CsvReader& rooms);
    void readCurricula();
    void readClosed();
    std::vector<int> coursesTaughtBy(const CsvReader& closed) const;
    void readClosedRow(const CsvReader& closed);
    void readUnsuitable();
    void readAllowed();
    void readTeachers();
    void readOrder();
    void readEnrolments();
    void closeByFeatures();
    void checkNames();
    void noteCrowds();
    void checkTeachers();
    void noteAlikeNames(const char* kind, const std::vector<std::string>& names);

    /// Returns the day of the cell, or the periods: a span of times may have several.
    int dayIn(const CsvReader& table) const;
    std::vector<int> periodsIn(const CsvReader& table) const;
    /// Returns the number of the name in the column. Refuses a name that does not exist.
    int numberOf(const NumberOf& numbers, const CsvReader& table, const char* kind) const;

    const std::string& path_;
    InputProblems problems_;
    Instance instance_;
    FolderFiles files_;
    NumberOf courses_;
    NumberOf rooms_;
    NumberOf buildings_;
    NumberOf curricula_;
    std::map<std::string, std::vector<int>> coursesOfTeacher_;
    std::vector<std::vector<std::string>> needs_;       ///< indexed by course
    std::vector<std::vector<std::string>> features_;    ///< indexed by room
    std::set<int> countsStudents_;                      ///< courses without a number of students
    std::int64_t lectureCount_ = 0;
    int daysPerWeek_ = 0;
    bool areOffsetsGiven_ = false;    ///< days.csv says where the days are in calendars
    bool areNamesWhole_ = true;       ///< courses.csv and rooms.csv have no errors, so a name that is not there is an error
    bool isWeekWhole_ = true;         ///< the days and periods are known
};

Instance FolderReader::read() {
    if (files_.pathOf("courses").empty() && files_.pathOf("rooms").empty() && files_.pathOf("week").empty())
        throw InputError((std::filesystem::path(path_) / "week.csv").string(),
                         "cannot be opened: No such file or directory; a folder of tables has week.csv, courses.csv and rooms.csv");
    const bool hasWeek = !files_.pathOf("week").empty();
    readDays();
    readPeriods();
    if (!hasWeek && (instance_.names.days.empty() || instance_.names.periods.empty()) && isWeekWhole_) requireTable("week");
    readWeek();
    readCourses();
    readRooms();
    readCurricula();
    readClosed();
    readUnsuitable();
    readAllowed();
    readTeachers();
    readOrder();
    readEnrolments();
    closeByFeatures();
    checkTeachers();
    checkNames();
    noteCrowds();
    problems_.throwIfAny();
    if (instance_.notes.size() > mostNotes) {
        const std::size_t more = instance_.notes.size() - mostNotes;
        instance_.notes.resize(mostNotes);
        instance_.notes.push_back(fmt::format("{}: {}", printable(path_), counted(static_cast<std::int64_t>(more), "further note")));
    }
    return std::move(instance_);
}

void FolderReader::requireTable(const char* name) {
    problems_.add(InputError((std::filesystem::path(path_) / (std::string(name) + ".csv")).string(),
                             "cannot be opened: No such file or directory; a folder of tables has week.csv, courses.csv and rooms.csv"));
    (std::string_view(name) == "week" ? isWeekWhole_ : areNamesWhole_) = false;
}

/// Adds the error of a table that has a head only.
void FolderReader::requireRow(const char* name) {
    problems_.add(InputError(files_.pathOf(name), "expected a row below the head, found none"));
    (std::string_view(name) == "week" ? isWeekWhole_ : areNamesWhole_) = false;
}

template <class ReadRow>
bool FolderReader::readTable(const char* name, const std::vector<std::string>& needed, const std::vector<std::string>& optional,
                             ReadRow readRow) {
    const std::string& path = files_.pathOf(name);
    if (path.empty()) return true;
    const std::size_t before = problems_.count();
    std::optional<CsvReader> table;
    problems_.attempt([&] { table.emplace(TextFile::load(path), needed, optional); });
    if (!table) return false;
    instance_.notes.insert(instance_.notes.end(), table->notes().begin(), table->notes().end());
    for (bool isMore = true; isMore;) {
        problems_.attempt([&] {
            isMore = table->next();
            if (isMore) readRow(*table);
        });
    }
    return problems_.count() == before;
}

void FolderReader::readDays() {
    std::set<std::string> seen;
    isWeekWhole_ &= readTable("days", {"day"}, {"offset"}, [&](const CsvReader& days) {
        WeekNames& names = instance_.names;
        if (names.days.size() >= limits::DayCount) days.fail("day", fmt::format("at most {} days", limits::DayCount));
        if (!seen.insert(foldedName(days.text("day"))).second)
            days.fail("day", "each day once", "; of two weeks, write names such as 'Monday A' and 'Monday B'");
        names.days.push_back(days.text("day"));
        const int least = names.offsets.empty() ? 0 : names.offsets.back() + 1;
        areOffsetsGiven_ |= days.has("offset");
        names.offsets.push_back(days.has("offset") ? days.number("offset", least, limits::DayCount) : least);
    });
}

void FolderReader::readPeriods() {
    std::set<std::string> seen;
    isWeekWhole_ &= readTable("periods", {}, {"period", "begin", "end", "lunch"}, [&](const CsvReader& periods) {
        WeekNames& names = instance_.names;
        const auto timeIn = [&](const char* column) {
            if (!periods.has(column)) return -1;
            const std::optional<int> time = readClockTime(periods.text(column));
            const std::string& text = periods.text(column);
            const bool isPart = text.starts_with("0.") || text.starts_with("0,");
            if (!time)
                periods.fail(column, "a time such as 08:15", isPart ? "; format the column as a time, and save the table again" : "");
            return *time;
        };
        if (names.periods.size() >= limits::PeriodsPerDay) periods.fail("period", fmt::format("at most {} periods", limits::PeriodsPerDay));
        PeriodName period{periods.has("period") ? periods.text("period") : "", timeIn("begin"), timeIn("end")};
        if (period.name.empty() && period.begin < 0) periods.fail("period", "a name or a begin");
        if (const auto range = readClockRange(period.name); range && period.begin < 0 && period.end < 0)
            period = {"", range->first, range->second};    // the times are the name
        if (period.end >= 0 && period.end <= period.begin) periods.fail("end", fmt::format("a time after {}", clockTime(period.begin)));
        if (period.end >= 0 && period.begin < 0) periods.fail("begin", "a time before the end");
        int begun = -1;    // of the periods before, some may have no times
        int ended = -1;
        for (const PeriodName& one : names.periods) {
            begun = std::max(begun, one.begin);
            ended = std::max(ended, one.end);
        }
        if (period.begin >= 0 && period.begin < ended)
            periods.fail("begin", fmt::format("a time not before {}, the end of the period before", clockTime(ended)));
        if (period.begin >= 0 && period.begin <= begun)
            periods.fail("begin", fmt::format("a time after {}, the begin of the period before", clockTime(begun)));
        if (!period.name.empty() && !seen.insert(foldedName(period.name)).second) periods.fail("period", "each period once");
        if (periods.isYes("lunch")) instance_.lunchPeriods.push_back(static_cast<int>(names.periods.size()));
        names.periods.push_back(std::move(period));
    });
}

/// Takes the number of days or periods from week.csv, or from the rows of the table of their names.
void FolderReader::setCount(const CsvReader& week, const char* column, const char* table, std::size_t rows, int most, int& count) {
    if (!week.has(column)) {
        const bool isTold = !isWeekWhole_ && !files_.pathOf(column).empty();    // the table of the names has errors of its own
        if (rows == 0 && !isTold) week.fail(column, "a value", fmt::format("; a number here, or a table {}", table));
        return;
    }
    count = week.number(column, 1, most);
    if (rows > 0 && isWeekWhole_ && static_cast<std::size_t>(count) != rows)
        week.fail(column, fmt::format("{}, as {} has rows", rows, table),
                  fmt::format("; one of the two tables is not whole, or leave '{}' out here", column));
}

void FolderReader::readWeekRow(const CsvReader& week) {
    instance_.name = week.has("name") ? week.text("name") : std::filesystem::path(path_).filename().string();
    setCount(week, "days", "days.csv", instance_.names.days.size(), limits::DayCount, instance_.dayCount);
    setCount(week, "periods", "periods.csv", instance_.names.periods.size(), limits::PeriodsPerDay, instance_.periodsPerDay);
    if (week.has("min_daily_lectures")) instance_.minDailyLectures = week.number("min_daily_lectures", 0, limits::PeriodsPerDay);
    if (week.has("max_daily_lectures"))
        instance_.maxDailyLectures = week.number("max_daily_lectures", instance_.minDailyLectures, limits::LecturesPerCourse);
    if (!week.has("days_per_week")) return;
    daysPerWeek_ = week.number("days_per_week", 1, mostDaysPerWeek);
    if (areOffsetsGiven_)
        week.fail("days_per_week", "nothing, as the column 'offset' of days.csv says where the days are in calendars",
                  "; take the number or that column away");
}

void FolderReader::readWeek() {
    WeekNames& names = instance_.names;
    instance_.name = std::filesystem::path(path_).filename().string();
    instance_.dayCount = static_cast<int>(names.days.size());
    instance_.periodsPerDay = static_cast<int>(names.periods.size());
    int rows = 0;
    isWeekWhole_ &= readTable("week", {}, {"name", "days", "periods", "min_daily_lectures", "max_daily_lectures", "days_per_week"},
                              [&](const CsvReader& week) {
                                  if (++rows > 1) week.fail("name", "one row");
                                  readWeekRow(week);
                              });
    const std::string& path = files_.pathOf("week");
    if (!path.empty() && rows == 0 && isWeekWhole_) requireRow("week");
    if (!isWeekWhole_ || areOffsetsGiven_) return;
    if (daysPerWeek_ > 0) {
        names.offsets.clear();    // those of days.csv follow each other
        for (int day = 0; day < instance_.dayCount; ++day)
            names.offsets.push_back(day / daysPerWeek_ * mostDaysPerWeek + day % daysPerWeek_);
    } else if (instance_.dayCount > mostDaysPerWeek) {
        instance_.notes.push_back(
            fmt::format("{}: the {} days follow each other in calendars, with weekends; days_per_week 5 in week.csv makes weeks of 5 days",
                        printable(path.empty() ? files_.pathOf("days") : path), instance_.dayCount));
    }
}

void FolderReader::readCourse(const CsvReader& courses) {
    Course course;
    course.id = courses.text("course");
    if (!courses.has("teacher"))
        courses.fail("teacher", "a value", "; where the teacher is not known yet, write a name for this course only, such as 'TBA 1'");
    const std::vector<std::string> teachers = partsOf(courses.text("teacher"));
    if (teachers.empty()) courses.fail("teacher", "a name");
    if (teachers.size() > limits::TeachersPerCourse) courses.fail("teacher", fmt::format("at most {} teachers", limits::TeachersPerCourse));
    course.teacher = teachers.front();
    course.otherTeachers.assign(teachers.begin() + 1, teachers.end());
    const int number = static_cast<int>(courses_.size());
    const bool isNew = courses_.try_emplace(course.id, number).second;
    if (!isNew) problems_.attempt([&] { courses.fail("course", "each course once"); });
    if (courses_.size() > limits::CourseCount) courses.fail("course", fmt::format("at most {} courses", limits::CourseCount));
    Course again = course;
    if (isNew) {
        for (const std::string& teacher : teachers) coursesOfTeacher_[teacher].push_back(number);
        needs_.push_back(courses.has("needs") ? partsOf(courses.text("needs")) : std::vector<std::string>());
        instance_.courses.push_back(course);
    }
    Course& kept = isNew ? instance_.courses.back() : again;
    // Every cell of the row is read, so that all of its errors are told.
    problems_.attempt([&] { kept.lectureCount = courses.number("lectures", 1, limits::LecturesPerCourse); });
    problems_.attempt([&] {
        kept.minWorkingDays = courses.has("min_days") ? courses.number("min_days", 0, limits::LecturesPerCourse) : 1;
        if (isWeekWhole_ && instance_.dayCount > 0 && kept.minWorkingDays > instance_.dayCount)    // published instances have such courses
            instance_.notes.push_back(fmt::format("{}: min_days {} of course '{}' is more than the {} of the week, so it always costs",
                                                  printable(path_), kept.minWorkingDays, printable(kept.id),
                                                  counted(instance_.dayCount, "day")));
    });
    problems_.attempt([&] {
        // Without a number, the rows of enrolments.csv count.
        const bool isCounted = !files_.pathOf("enrolments").empty() && !courses.has("students");
        kept.studentCount = isCounted ? 0 : courses.number("students", 0, limits::PeopleOrSeats);
        if (isCounted && isNew) countsStudents_.insert(number);
    });
    problems_.attempt([&] { kept.wantsDoubleLectures = courses.isYes("double"); });
    lectureCount_ += kept.lectureCount;
    if (lectureCount_ > limits::LectureCount) courses.fail("lectures", fmt::format("at most {} lectures in all", limits::LectureCount));
}

void FolderReader::readCourses() {
    if (files_.pathOf("courses").empty()) return requireTable("courses");
    std::vector<std::string> needed{"course", "teacher", "lectures"};
    std::vector<std::string> optional{"min_days", "double", "needs"};
    (files_.pathOf("enrolments").empty() ? needed : optional).emplace_back("students");
    areNamesWhole_ &= readTable("courses", needed, optional, [&](const CsvReader& courses) { readCourse(courses); });
    if (areNamesWhole_ && courses_.empty()) requireRow("courses");
}

void FolderReader::readRoom(const CsvReader& rooms) {
    Room room{rooms.text("room"), 0, 0};
    int seats = 0;
    problems_.attempt([&] { seats = rooms.number("seats", 0, limits::PeopleOrSeats); });
    if (!rooms_.try_emplace(room.id, static_cast<int>(rooms_.size())).second) rooms.fail("room", "each room once");
    if (rooms_.size() > limits::RoomCount) rooms.fail("room", fmt::format("at most {} rooms", limits::RoomCount));
    if (rooms.has("building"))
        room.building = buildings_.try_emplace(rooms.text("building"), static_cast<int>(buildings_.size())).first->second;
    features_.push_back(rooms.has("features") ? partsOf(rooms.text("features")) : std::vector<std::string>());
    instance_.rooms.push_back(std::move(room));
    instance_.rooms.back().seatCount = seats;
}

void FolderReader::readRooms() {
    if (files_.pathOf("rooms").empty()) return requireTable("rooms");
    areNamesWhole_ &= readTable("rooms", {"room", "seats"}, {"building", "features"}, [&](const CsvReader& rooms) { readRoom(rooms); });
    if (areNamesWhole_ && rooms_.empty()) requireRow("rooms");
}

int FolderReader::numberOf(const NumberOf& numbers, const CsvReader& table, const char* kind) const {
    const auto found = numbers.find(table.text(kind));
    if (found != numbers.end()) return found->second;
    if (!areNamesWhole_) return -1;    // the name may be in a row that has an error
    std::vector<std::string> names;
    for (const auto& [name, number] : numbers) names.push_back(name);
    std::sort(names.begin(), names.end());
    table.fail(kind, fmt::format("a {} of this instance", kind), cureFor(table.text(kind), names));
}

void FolderReader::readCurricula() {
    std::set<std::pair<int, int>> seen;
    readTable("curricula", {"curriculum", "course"}, {}, [&](const CsvReader& table) {
        const std::string& id = table.text("curriculum");
        const auto [place, isNew] = curricula_.try_emplace(id, static_cast<int>(curricula_.size()));
        if (curricula_.size() > limits::CurriculumCount)
            table.fail("curriculum", fmt::format("at most {} curricula", limits::CurriculumCount));
        if (isNew) instance_.curricula.push_back({id, {}});
        const int course = numberOf(courses_, table, "course");
        if (course < 0) return;
        if (!seen.emplace(place->second, course).second) table.fail("course", "each course once in a curriculum");
        instance_.curricula[static_cast<std::size_t>(place->second)].courses.push_back(course);
    });
}

int FolderReader::dayIn(const CsvReader& table) const {
    const std::optional<int> day = instance_.names.findDay(table.text("day"), instance_.dayCount);
    if (day) return *day;
    std::vector<std::string> cells;
    for (int one = 0; one < instance_.dayCount; ++one) cells.push_back(instance_.names.dayCell(one));
    const std::string cure = cureFor(table.text("day"), cells);
    if (!instance_.names.days.empty()) table.fail("day", "a day of days.csv", cure);
    const bool isNumber = table.text("day").find_first_not_of("0123456789") == std::string::npos;
    table.fail("day", fmt::format("a whole number from 0 to {}", instance_.dayCount - 1),
               isNumber || !cure.empty() ? cure : "; for names of days, make a table days.csv with a column 'day'");
}

std::vector<int> FolderReader::periodsIn(const CsvReader& table) const {
    PeriodSpan found = instance_.names.findPeriods(table.text("period"), instance_.periodsPerDay);
    if (found.unclear >= 0)
        table.fail("period", "times that say which periods they are",
                   fmt::format("; give '{}' a begin and an end in periods.csv, or write a row for each period",
                               printable(instance_.names.periodCell(found.unclear))));
    if (!found.periods.empty()) return std::move(found.periods);
    std::vector<std::string> cells;
    for (int one = 0; one < instance_.periodsPerDay; ++one) cells.push_back(instance_.names.periodCell(one));
    const std::string cure = cureFor(table.text("period"), cells);
    if (!instance_.names.periods.empty()) table.fail("period", "a period of periods.csv, by its name or its begin", cure);
    const bool isNumber = table.text("period").find_first_not_of("0123456789") == std::string::npos;
    table.fail(
        "period", fmt::format("a whole number from 0 to {}", instance_.periodsPerDay - 1),
        isNumber || !cure.empty() ? cure : "; for names and times, make a table periods.csv with the columns 'period', 'begin', 'end'");
}

/// The courses of the teacher of this row.
std::vector<int> FolderReader::coursesTaughtBy(const CsvReader& closed) const {
    const auto taught = coursesOfTeacher_.find(closed.text("teacher"));
    if (taught != coursesOfTeacher_.end()) return taught->second;
    if (!areNamesWhole_) return {};
    std::vector<std::string> names;
    for (const auto& [name, ofTeacher] : coursesOfTeacher_) names.push_back(name);
    closed.fail("teacher", "a teacher of this instance", cureFor(closed.text("teacher"), names));
}

void FolderReader::readClosedRow(const CsvReader& closed) {
    const int subjects = (closed.has("course") ? 1 : 0) + (closed.has("teacher") ? 1 : 0) + (closed.has("room") ? 1 : 0);
    if (subjects != 1)
        closed.fail(closed.hasColumn("course") ? "course" : "teacher",
                    closed.hasColumn("room") ? "one of a course, a teacher and a room" : "either a course or a teacher");
    std::vector<int> courses;
    int room = -1;
    int day = -1;
    std::vector<int> periods;
    // Every cell of the row is read, so that all of its errors are told.
    bool isRight = problems_.attempt([&] {
        if (closed.has("course")) {
            courses.push_back(numberOf(courses_, closed, "course"));
        } else if (closed.has("room")) {
            room = numberOf(rooms_, closed, "room");
        } else {
            courses = coursesTaughtBy(closed);
        }
    });
    isRight &= problems_.attempt([&] { isWeekWhole_ ? static_cast<void>(day = dayIn(closed)) : static_cast<void>(closed.text("day")); });
    if (isWeekWhole_ && closed.has("period")) isRight &= problems_.attempt([&] { periods = periodsIn(closed); });
    if (!isWeekWhole_ || !isRight) return;
    for (int period = 0; !closed.has("period") && period < instance_.periodsPerDay; ++period) periods.push_back(period);
    for (const int course : courses) {
        for (const int period : periods) {
            if (course >= 0) instance_.unavailabilities.push_back({course, day, period});
        }
    }
    for (const int period : periods) {
        if (room >= 0) instance_.roomClosings.push_back({room, day, period});
    }
    if (instance_.unavailabilities.size() + instance_.roomClosings.size() > limits::UnavailabilityCount)
        closed.fail("day", fmt::format("at most {} closed periods in all", limits::UnavailabilityCount));
}

void FolderReader::readClosed() {
    readTable("closed", {"day"}, {"course", "teacher", "room", "period"}, [&](const CsvReader& closed) { readClosedRow(closed); });
}

void FolderReader::readUnsuitable() {
    readTable("unsuitable", {"course", "room"}, {}, [&](const CsvReader& unsuitable) {
        if (instance_.roomConstraints.size() >= limits::RoomConstraintCount)
            unsuitable.fail("room", fmt::format("at most {} rows", limits::RoomConstraintCount));
        const int course = numberOf(courses_, unsuitable, "course");
        const int room = numberOf(rooms_, unsuitable, "room");
        if (course >= 0 && room >= 0) instance_.roomConstraints.push_back({course, room});
    });
}

/// Makes all rooms but those of the table unsuitable for the courses of the table.
void FolderReader::readAllowed() {
    std::map<int, std::set<int>> allowed;
    const bool isWhole = readTable("allowed", {"course", "room"}, {}, [&](const CsvReader& table) {
        const int course = numberOf(courses_, table, "course");
        const int room = numberOf(rooms_, table, "room");
        if (course >= 0 && room >= 0) allowed[course].insert(room);
    });
    if (!isWhole) return;
    for (const auto& [course, rooms] : allowed) {
        for (int room = 0; room < static_cast<int>(instance_.rooms.size()); ++room) {
            if (rooms.contains(room)) continue;
            if (instance_.roomConstraints.size() >= limits::RoomConstraintCount)
                throw InputError(path_, fmt::format("expected at most {} pairs of courses and rooms that do not suit, found more",
                                                    limits::RoomConstraintCount));
            instance_.roomConstraints.push_back({course, room});
        }
    }
}

void FolderReader::readTeachers() {
    std::set<std::string> seen;
    readTable("teachers", {"teacher"}, {"max_days", "max_daily_lectures", "max_in_a_row"}, [&](const CsvReader& table) {
        TeacherLimits of{table.text("teacher")};
        problems_.attempt([&] {
            coursesTaughtBy(table);    // refuses a teacher without courses
            if (!seen.insert(of.teacher).second) table.fail("teacher", "each teacher once");
        });
        const auto take = [&](const char* column, int least, int most, int& limit) {
            problems_.attempt([&] { limit = table.has(column) ? table.number(column, least, most) : limit; });
        };
        take("max_days", 0, limits::DayCount, of.mostDays);
        take("max_daily_lectures", 0, limits::LecturesPerCourse, of.mostDaily);
        take("max_in_a_row", 1, limits::LecturesPerCourse, of.mostInARow);
        instance_.teacherLimits.push_back(std::move(of));
    });
}

void FolderReader::readOrder() {
    readTable("order", {"before", "after"}, {}, [&](const CsvReader& table) {
        const auto courseIn = [&](const char* column) {
            const auto found = courses_.find(table.text(column));
            if (found != courses_.end()) return found->second;
            if (!areNamesWhole_) return -1;
            std::vector<std::string> names;
            for (const Course& course : instance_.courses) names.push_back(course.id);
            table.fail(column, "a course of this instance", cureFor(table.text(column), names));
        };
        CourseOrder order;
        problems_.attempt([&] { order.before = courseIn("before"); });
        problems_.attempt([&] { order.after = courseIn("after"); });
        if (order.before < 0 || order.after < 0) return;
        if (table.text("before") == table.text("after")) table.fail("after", "another course than in column 'before'");
        if (instance_.orders.size() >= limits::OrderCount) table.fail("before", fmt::format("at most {} rows", limits::OrderCount));
        instance_.orders.push_back(order);
    });
}

void FolderReader::readEnrolments() {
    std::map<std::string, std::set<int>> coursesOf;
    std::int64_t pairCount = 0;
    readTable("enrolments", {"student", "course"}, {}, [&](const CsvReader& table) {
        const int course = numberOf(courses_, table, "course");
        if (course < 0) return;
        std::set<int>& courses = coursesOf[table.text("student")];
        pairCount += static_cast<std::int64_t>(courses.size());
        if (pairCount > limits::CoursePairs) table.fail("course", "fewer courses of each student");
        if (!courses.insert(course).second) table.fail("course", "each course of a student once");
    });
    for (const auto& [student, courses] : coursesOf) {
        for (const int course : courses) {
            if (countsStudents_.contains(course)) ++instance_.courses[static_cast<std::size_t>(course)].studentCount;
        }
        instance_.students.push_back({student, {courses.begin(), courses.end()}});
    }
}

/// Makes rooms unsuitable that lack a feature that a course needs.
void FolderReader::closeByFeatures() {
    if (!areNamesWhole_ || static_cast<std::int64_t>(needs_.size()) * static_cast<std::int64_t>(features_.size()) > limits::TableCells)
        return;
    std::set<std::string> known;
    std::vector<std::set<std::string>> ofRoom;
    for (const std::vector<std::string>& features : features_) {
        std::set<std::string>& folded = ofRoom.emplace_back();
        for (const std::string& feature : features) folded.insert(foldedName(feature));
        known.insert(folded.begin(), folded.end());
    }
    for (std::size_t course = 0; course < needs_.size(); ++course) {
        std::vector<std::string> needs;
        for (const std::string& need : needs_[course]) {
            needs.push_back(foldedName(need));
            if (!known.contains(needs.back()))
                problems_.add(InputError(files_.pathOf("courses"),
                                         fmt::format("course {} needs '{}', which no room of rooms.csv has in its column 'features'",
                                                     printable(instance_.courses[course].id), printable(need))));
        }
        for (std::size_t room = 0; room < ofRoom.size(); ++room) {
            if (std::all_of(needs.begin(), needs.end(), [&](const std::string& need) { return ofRoom[room].contains(need); })) continue;
            if (instance_.roomConstraints.size() >= limits::RoomConstraintCount)
                throw InputError(path_, fmt::format("expected at most {} pairs of courses and rooms that do not suit, found more",
                                                    limits::RoomConstraintCount));
            instance_.roomConstraints.push_back({static_cast<int>(course), static_cast<int>(room)});
        }
    }
}

/// Refuses a teacher whose name is made of the names of others, since these would be booked twice. Tells a name that lists another one.
void FolderReader::checkTeachers() {
    constexpr std::size_t longestName = 200;
    static const std::set<std::string> openNames{"tba", "tbc", "tbd", "nn", "n.n", "n.n.", "n._n.", "n/a", "unknown", "staff", "?", "_"};
    for (const auto& [name, courses] : coursesOfTeacher_) {
        if (name.size() > longestName) continue;
        if (courses.size() > 1 && openNames.contains(foldedName(name)))
            instance_.notes.push_back(fmt::format(
                "{}: column 'teacher': '{}' counts as one person, so {} are never at the same time; names such as '{} 1' make them several",
                files_.pathOf("courses"), printable(name), counted(static_cast<std::int64_t>(courses.size()), "course"), printable(name)));
        std::vector<std::string> parts;
        const std::vector<std::string> listed = listedNames(name);
        std::copy_if(listed.begin(), listed.end(), std::back_inserter(parts),
                     [&](const std::string& part) { return coursesOfTeacher_.contains(part); });
        if (!parts.empty() && parts.size() < listed.size()) {
            instance_.notes.push_back(
                fmt::format("{}: column 'teacher': '{}' counts as one person, though '{}' is a teacher, too; several "
                            "teachers have a ';' between them",
                            files_.pathOf("courses"), printable(name), printable(parts.front())));
            continue;
        }
        std::size_t begin = parts.empty() ? 0 : name.size();
        // The longest name at each place is taken.
        for (bool isMore = true; isMore && begin < name.size();) {
            isMore = false;
            for (std::size_t end = name.size(); end > begin;) {
                const std::string part = name.substr(begin, end - begin);
                if (part.size() < name.size() && coursesOfTeacher_.contains(part)) {
                    parts.push_back(part);
                    begin = end + 1;
                    isMore = true;
                    break;
                }
                const std::size_t blank = name.rfind(' ', end - 1);
                if (blank == std::string::npos || blank <= begin) break;
                end = blank;
            }
        }
        if (begin < name.size() || parts.size() < 2) continue;
        problems_.add(
            InputError(files_.pathOf("courses"), fmt::format("column 'teacher': '{}' reads like the teachers '{}' together; write '{}' for "
                                                             "several teachers, or give one person another name",
                                                             printable(name), fmt::join(parts, "' and '"), fmt::join(parts, "; "))));
    }
}

/// Tells names that differ in capitals only. Refuses names that are the same in the format of the competition.
void FolderReader::checkNames() {
    std::vector<std::string> names;
    const auto refuseEqual = [&](const char* table) {
        std::map<std::string, std::string> joined;
        for (const std::string& name : names) {
            const auto [other, isNew] = joined.try_emplace(withoutBlanks(name), name);
            if (!isNew)
                problems_.add(InputError(
                    files_.pathOf(table),
                    fmt::format("'{}' and '{}' would have the same name in timetable files, where a blank is '_'; rename one of them",
                                printable(other->second), printable(name))));
        }
    };
    for (const Course& course : instance_.courses) names.push_back(course.id);
    refuseEqual("courses");
    noteAlikeNames("courses", names);
    names.clear();
    for (const Room& room : instance_.rooms) names.push_back(room.id);
    refuseEqual("rooms");
    noteAlikeNames("rooms", names);
    names.clear();
    for (const auto& [name, courses] : coursesOfTeacher_) names.push_back(name);
    noteAlikeNames("teachers", names);
    names.clear();
    for (const Curriculum& curriculum : instance_.curricula) names.push_back(curriculum.id);
    noteAlikeNames("curricula", names);
}

/// Tells courses with more students than the largest room has seats.
void FolderReader::noteCrowds() {
    int most = 0;
    for (const Room& room : instance_.rooms) most = std::max(most, room.seatCount);
    for (const Course& course : instance_.courses) {
        if (course.studentCount > most)
            instance_.notes.push_back(fmt::format("{}: course '{}' has {}, more than the {} of the largest room, so some of them have none",
                                                  printable(path_), printable(course.id), counted(course.studentCount, "student"),
                                                  counted(most, "seat")));
    }
}

void FolderReader::noteAlikeNames(const char* kind, const std::vector<std::string>& names) {
    std::map<std::string, std::string> folded;
    for (const std::string& name : names) {
        const auto [other, isNew] = folded.try_emplace(foldedName(name), name);
        if (!isNew)
            instance_.notes.push_back(fmt::format("{}: {} '{}' and '{}' differ in capitals or blanks only and count as two",
                                                  printable(path_), kind, printable(other->second), printable(name)));
    }
}

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

std::vector<std::string> uncountedParts(const Instance& instance, bool hasTables) {
    const Weights weights = instance.weights.value_or(weightsOf(instance.formulation));
    const std::string by = instance.weights ? "--weights" : nameOf(instance.formulation);
    std::vector<std::string> lines;
    const auto tell = [&](const char* table, const char* section, std::int64_t count, const char* noun, auto counts) {
        std::vector<std::string> others;
        for (const Formulation one : AllFormulations) {
            if (counts(weightsOf(one))) others.emplace_back(nameOf(one));
        }
        if (count > 0 && !counts(weights))
            lines.push_back(fmt::format("{}: {}, which {} does not count; {} {}", hasTables ? table : section, counted(count, noun), by,
                                        fmt::join(others, " and "), others.size() == 1 ? "does" : "do"));
    };
    const Instance usual;
    std::set<int> buildings;
    for (const Room& room : instance.rooms) buildings.insert(room.building);
    const auto doubles =
        std::count_if(instance.courses.begin(), instance.courses.end(), [](const Course& one) { return one.wantsDoubleLectures; });
    const bool hasLimits = instance.minDailyLectures != usual.minDailyLectures || instance.maxDailyLectures != usual.maxDailyLectures;
    const auto tellOwn = [&](const char* table, std::size_t count, const char* noun, const char* more, const char* constraints,
                             int weight) {
        if (count > 0 && weight == 0)
            lines.push_back(fmt::format("{}: {}{}, which {} does not count; a table of --weights with {} does", table,
                                        counted(static_cast<std::int64_t>(count), noun), more, by, constraints));
    };
    tellOwn("teachers.csv", instance.teacherLimits.size(), "teacher", " with limits", "TeacherDays, TeacherLoad or TeacherRow",
            weights.teacherDays + weights.teacherLoad + weights.teacherRow);
    tellOwn("periods.csv", instance.lunchPeriods.size(), "period", " for lunch", "TeacherLunch", weights.teacherLunch);
    tellOwn("order.csv", instance.orders.size(), "order", " of courses", "LectureOrder", weights.lectureOrder);
    tellOwn("enrolments.csv", instance.students.size(), "student", " with courses", "StudentClashes", weights.studentClashes);
    const auto tellEmpty = [&](const char* constraint, int weight, bool isThere, const char* noun, const char* table) {
        if (instance.weights && weight > 0 && !isThere)
            lines.push_back(fmt::format("{} counts nothing, since the instance has no {}: {} is for them", constraint, noun, table));
    };
    const bool hasLimitsOfTeachers = !instance.teacherLimits.empty();
    tellEmpty("TeacherDays", weights.teacherDays, hasLimitsOfTeachers, "limits of teachers", "teachers.csv");
    tellEmpty("TeacherLoad", weights.teacherLoad, hasLimitsOfTeachers, "limits of teachers", "teachers.csv");
    tellEmpty("TeacherRow", weights.teacherRow, hasLimitsOfTeachers, "limits of teachers", "teachers.csv");
    tellEmpty("TeacherLunch", weights.teacherLunch, !instance.lunchPeriods.empty(), "periods for lunch", "column 'lunch' of periods.csv");
    tellEmpty("LectureOrder", weights.lectureOrder, !instance.orders.empty(), "orders of courses", "order.csv");
    tellEmpty("StudentClashes", weights.studentClashes, !instance.students.empty(), "students with courses", "enrolments.csv");
    tell("unsuitable.csv, allowed.csv and needs of courses.csv", "ROOM_CONSTRAINTS",
         static_cast<std::int64_t>(instance.roomConstraints.size()), "unsuitable room",
         [](const Weights& one) { return one.roomSuitability > 0 || one.isRoomSuitabilityHard; });
    tell("rooms.csv", "ROOMS", buildings.size() > 1 ? static_cast<std::int64_t>(buildings.size()) : 0, "building",
         [](const Weights& one) { return one.travelDistance > 0; });
    tell("courses.csv", "COURSES", doubles, "course with double lectures", [](const Weights& one) { return one.doubleLectures > 0; });
    tell("week.csv", "Min_Max_Daily_Lectures", hasLimits ? 1 : 0, "limit of daily lectures",
         [](const Weights& one) { return one.dailyLoad > 0; });
    return lines;
}

}    // namespace timetabling::curriculum
