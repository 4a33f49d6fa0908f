#include <ferry/apps/timetabling/curriculum/io/InstanceReader.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/LineParser.hpp>

namespace timetabling::curriculum {

namespace {

enum class Section { Courses, Rooms, Curricula, Unavailabilities, RoomConstraints };

/// The name of a section in a file, and the header that holds the number of its lines.
struct SectionName {
    Section section;
    std::string_view title;
    std::string_view countHeader;
    int mostLines;
};

constexpr std::array<SectionName, 5> SectionNames{{
    {Section::Courses, "COURSES", "COURSES", limits::CourseCount},
    {Section::Rooms, "ROOMS", "ROOMS", limits::RoomCount},
    {Section::Curricula, "CURRICULA", "CURRICULA", limits::CurriculumCount},
    {Section::Unavailabilities, "UNAVAILABILITY_CONSTRAINTS", "UNAVAILABILITYCONSTRAINTS", limits::UnavailabilityCount},
    {Section::RoomConstraints, "ROOM_CONSTRAINTS", "ROOMCONSTRAINTS", limits::UnavailabilityCount},
}};

std::string upperCase(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char symbol) { return std::toupper(symbol); });
    return result;
}

/// Says what a line that is no header may belong to: nothing when that is not known.
std::string otherFormatOf(const TextLine& line) {
    if (line.text.starts_with('<')) return "; the file is XML, which is read as an instance of ITC-2019 from a file and not from a pipe";
    const auto isNumber = [](std::string_view word) { return word.find_first_not_of("0123456789") == std::string_view::npos; };
    if (line.words.size() == 4 && isNumber(line.words[2]) && isNumber(line.words[3]))
        return "; the file looks like a timetable, not like an instance";
    return {};
}

using Numbers = std::unordered_map<std::string_view, int>;

class Reader {
public:
    explicit Reader(TextFile file) : file_(std::move(file)) {}
    Instance read();

private:
    void sortLines();
    bool readHeader(const TextLine& line);
    void requireHeader(std::size_t endLine) const;
    void requireCounts(std::size_t endLine);
    void readCourses();
    void readRooms();
    void readCurricula();
    void readUnavailabilities();
    void readRoomConstraints();

    const std::vector<TextLine>& linesOf(Section section) { return lines_[section]; }
    void addNumber(Numbers& numbers, LineParser& parser, std::string_view id, const char* kind) const;
    int numberOf(const Numbers& numbers, LineParser& parser, const char* kind) const;

    TextFile file_;
    std::map<Section, std::vector<TextLine>> lines_;
    std::map<Section, int> announced_;
    Numbers courseNumbers_;
    Numbers roomNumbers_;
    bool hasName_ = false;
    Instance instance_;
};

Instance Reader::read() {
    sortLines();
    readCourses();
    readRooms();
    readCurricula();
    readUnavailabilities();
    readRoomConstraints();
    return std::move(instance_);
}

/// Reads the header, and stores every other line under its section.
void Reader::sortLines() {
    std::optional<Section> section;
    for (TextLine line = file_.next();; line = file_.next()) {
        if (line.words.empty()) {
            throw InputError(file_.name(), line.number, "expected 'END.', found the end of the file: is the file truncated?");
        }
        if (upperCase(line.text) == "END.") {
            requireHeader(line.number);
            requireCounts(line.number);
            return;
        }
        if (line.text.ends_with(':')) {
            const std::string title = upperCase(line.text.substr(0, line.text.find_first_of(": \t")));
            const auto* found =
                std::find_if(SectionNames.begin(), SectionNames.end(), [&](const SectionName& name) { return name.title == title; });
            if (found == SectionNames.end()) LineParser(file_.name(), line).fail("the title of a section", line.text);
            section = found->section;
            if (!lines_.try_emplace(*section).second) LineParser(file_.name(), line).fail("each section once", line.text);
            continue;
        }
        if (line.text.find(':') != std::string_view::npos && readHeader(line)) continue;
        if (!section)
            throw InputError(
                file_.name(), line.number,
                fmt::format("expected a header line such as 'Courses: 30', {}{}", foundInWords(line.text), otherFormatOf(line)));
        lines_[*section].push_back(std::move(line));
    }
}

/// Reads the line if it is one of the known headers. Returns whether it is.
bool Reader::readHeader(const TextLine& line) {
    const std::size_t colon = line.text.find(':');
    std::string key = upperCase(line.text.substr(0, colon));
    key.erase(std::find_if(key.begin(), key.end(), [](unsigned char symbol) { return std::isspace(symbol) != 0; }), key.end());
    std::string_view rest = line.text.substr(colon + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));

    TextLine value{line.number, rest, {}};
    for (std::size_t start = 0; start < rest.size();) {
        const std::size_t end = std::min(rest.find_first_of(" \t", start), rest.size());
        if (end > start) value.words.push_back(rest.substr(start, end - start));
        start = end + 1;
    }
    LineParser parser(file_.name(), value);
    const auto once = [&](bool isFirst) {
        if (!isFirst) LineParser(file_.name(), line).fail("each header once", line.text);
    };
    if (key == "NAME") {
        once(!std::exchange(hasName_, true));
        instance_.name = std::string(rest);
        return true;
    }
    if (key == "DAYS" || key == "PERIODS_PER_DAY") {
        const bool isDays = key == "DAYS";
        int& target = isDays ? instance_.dayCount : instance_.periodsPerDay;
        once(target == 0);
        parser.expectWords(1, 1, isDays ? "Days: number" : "Periods_per_day: number");
        target = parser.number(isDays ? "a number of days" : "a number of periods per day", 1,
                               isDays ? limits::DayCount : limits::PeriodsPerDay);
        return true;
    }
    if (key == "MIN_MAX_DAILY_LECTURES") {
        parser.expectWords(2, 2, "Min_Max_Daily_Lectures: number number");
        instance_.minDailyLectures = parser.number("a number of lectures", 0, limits::PeriodsPerDay);
        instance_.maxDailyLectures = parser.number("a number of lectures", instance_.minDailyLectures, limits::LecturesPerCourse);
        return true;
    }
    if (key == "CONSTRAINTS") key = "UNAVAILABILITYCONSTRAINTS";
    for (const SectionName& name : SectionNames) {
        if (name.countHeader != key) continue;
        parser.expectWords(1, 1, "header: number");
        once(announced_.try_emplace(name.section, parser.number("a count", 0, name.mostLines)).second);
        return true;
    }
    return false;
}

void Reader::requireHeader(std::size_t endLine) const {
    if (instance_.dayCount == 0) throw InputError(file_.name(), endLine, "expected a header 'Days:', found none");
    if (instance_.periodsPerDay == 0) throw InputError(file_.name(), endLine, "expected a header 'Periods_per_day:', found none");
}

void Reader::requireCounts(std::size_t endLine) {
    for (const SectionName& name : SectionNames) {
        const auto announced = announced_.find(name.section);
        const std::size_t found = lines_[name.section].size();
        if (announced == announced_.end()) {
            if (name.section == Section::RoomConstraints && found == 0) continue;
            throw InputError(file_.name(), endLine, fmt::format("expected a header with the number of {}, found none", name.title));
        }
        if (found != static_cast<std::size_t>(announced->second)) {
            throw InputError(file_.name(), endLine,
                             fmt::format("expected {} lines under {}: as the header says, found {}", announced->second, name.title, found));
        }
    }
}

void Reader::addNumber(Numbers& numbers, LineParser& parser, std::string_view id, const char* kind) const {
    if (!numbers.try_emplace(id, static_cast<int>(numbers.size())).second) parser.fail(fmt::format("each {} once", kind), id);
}

int Reader::numberOf(const Numbers& numbers, LineParser& parser, const char* kind) const {
    const std::string_view id = parser.word();
    const auto found = numbers.find(id);
    if (found == numbers.end()) parser.fail(fmt::format("a {} of this instance", kind), id);
    return found->second;
}

void Reader::readCourses() {
    std::int64_t lectureCount = 0;
    for (const TextLine& line : linesOf(Section::Courses)) {
        LineParser parser(file_.name(), line);
        parser.expectWords(5, 6, "course teacher lectures minWorkingDays students");
        const std::string_view id = parser.word();
        addNumber(courseNumbers_, parser, id, "course");
        Course course;
        course.id = std::string(id);
        course.teacher = parser.name();
        course.lectureCount = parser.number("a number of lectures", 1, limits::LecturesPerCourse);
        course.minWorkingDays = parser.number("a minimum of working days", 0, limits::LecturesPerCourse);
        course.studentCount = parser.number("a number of students", 0, limits::PeopleOrSeats);
        if (!parser.isAtEnd()) course.wantsDoubleLectures = parser.number("whether double lectures are wanted,", 0, 1) == 1;
        lectureCount += course.lectureCount;
        if (lectureCount > limits::LectureCount) parser.fail(fmt::format("at most {} lectures in all", limits::LectureCount), line.text);
        instance_.courses.push_back(std::move(course));
    }
}

void Reader::readRooms() {
    Numbers buildings;
    for (const TextLine& line : linesOf(Section::Rooms)) {
        LineParser parser(file_.name(), line);
        parser.expectWords(2, 3, "room seats");
        const std::string_view id = parser.word();
        addNumber(roomNumbers_, parser, id, "room");
        Room room{std::string(id), parser.number("a number of seats", 0, limits::PeopleOrSeats), 0};
        if (!parser.isAtEnd()) room.building = buildings.try_emplace(parser.word(), static_cast<int>(buildings.size())).first->second;
        instance_.rooms.push_back(std::move(room));
    }
}

void Reader::readCurricula() {
    Numbers curriculumNumbers;
    for (const TextLine& line : linesOf(Section::Curricula)) {
        LineParser parser(file_.name(), line);
        parser.expectWords(2, line.words.size(), "curriculum courseCount course...");
        const std::string_view id = parser.word();
        addNumber(curriculumNumbers, parser, id, "curriculum");
        const int courseCount = parser.number("a number of courses", 0, limits::CourseCount);
        const std::size_t found = line.words.size() - 2;
        if (found != static_cast<std::size_t>(courseCount)) {
            parser.fail(fmt::format("{} courses in curriculum {}", courseCount, printable(id)), std::to_string(found));
        }
        Curriculum curriculum{std::string(id), {}};
        std::vector<int>& members = curriculum.courses;
        while (!parser.isAtEnd()) {
            const int course = numberOf(courseNumbers_, parser, "course");
            members.push_back(course);
        }
        std::sort(members.begin(), members.end());
        const auto repeated = std::adjacent_find(members.begin(), members.end());
        if (repeated != members.end())
            parser.fail("each course once in a curriculum", instance_.courses[static_cast<std::size_t>(*repeated)].id);
        instance_.curricula.push_back(std::move(curriculum));
    }
}

void Reader::readUnavailabilities() {
    for (const TextLine& line : linesOf(Section::Unavailabilities)) {
        LineParser parser(file_.name(), line);
        parser.expectWords(3, 3, "course day period");
        Unavailability closed;
        closed.course = numberOf(courseNumbers_, parser, "course");
        closed.day = parser.number("a day", 0, instance_.dayCount - 1);
        closed.periodOfDay = parser.number("a period of the day", 0, instance_.periodsPerDay - 1);
        instance_.unavailabilities.push_back(closed);
    }
}

void Reader::readRoomConstraints() {
    for (const TextLine& line : linesOf(Section::RoomConstraints)) {
        LineParser parser(file_.name(), line);
        parser.expectWords(2, 2, "course room");
        RoomConstraint constraint;
        constraint.course = numberOf(courseNumbers_, parser, "course");
        constraint.room = numberOf(roomNumbers_, parser, "room");
        instance_.roomConstraints.push_back(constraint);
    }
}

}    // namespace

Instance readInstance(TextFile file) {
    const std::string name = file.name();
    Instance instance = Reader(std::move(file)).read();
    try {
        checkInstance(instance);
    } catch (const std::invalid_argument& error) {
        throw InputError(name, error.what());
    }
    return instance;
}

Instance readInstance(const std::string& path) { return readInstance(TextFile::load(path)); }

}    // namespace timetabling::curriculum
