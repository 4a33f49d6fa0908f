#include <ferry/apps/timetabling/curriculum/io/PublishedFile.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/apps/timetabling/curriculum/io/NamesOfInstance.hpp>
#include <ferry/apps/timetabling/curriculum/model/PinBoard.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/LineParser.hpp>
#include <ferry/apps/timetabling/io/TimetableRows.hpp>
#include <ferry/apps/timetabling/io/standardStreams.hpp>
#include <ferry/apps/timetabling/model/counted.hpp>

namespace timetabling::curriculum {

namespace {

/// Whether the text is a timetable in the format of the competition, and no table: the first line is a lecture, or has four words without a
/// separator of a table.
bool isLinesOfFour(const TextFile& file) {
    if (TimetableRows::formatOf(file) != TimetableRows::Format::Competition) return false;
    TextFile copy = file;
    const TextLine line = copy.next();
    return isLineOfLecture(line) || (line.words.size() == 4 && line.text.find_first_of(",;|") == std::string_view::npos);
}

TimetableRows readRowsOfPins(TextFile file) {
    if (isLinesOfFour(file)) return TimetableRows::readLines(std::move(file), limits::LectureCount);
    if (TimetableRows::formatOf(file) == TimetableRows::Format::Json)
        return TimetableRows::readJson(std::move(file), "course", "lectures", limits::LectureCount);
    return TimetableRows::readTable(std::move(file), "course", limits::LectureCount);
}

/// Collects the lines that readPublished() does not take, for a message.
class LeftOutLines {
public:
    void addUnknown(std::string_view course) {
        ++unknownCount_;
        if (courses_.size() <= mostNames) courses_.emplace(course);
    }
    void addDouble() { ++doubleCount_; }

    std::string text() const {
        std::vector<std::string> parts;
        if (unknownCount_ > 0) {
            std::vector<std::string> names(courses_.begin(), courses_.end());
            if (names.size() > mostNames) names.back() = "...";
            parts.push_back(fmt::format("{} of courses that the instance does not have ({})", unknownCount_,
                                        printable(fmt::format("{}", fmt::join(names, ", ")), 200)));
        }
        if (doubleCount_ > 0) parts.push_back(fmt::format("{} in a period that has one of the course already", doubleCount_));
        return parts.empty() ? "" : fmt::format("lectures left out: {}", fmt::join(parts, "; "));
    }

private:
    static constexpr std::size_t mostNames = 5;

    std::size_t unknownCount_ = 0;
    std::size_t doubleCount_ = 0;
    std::set<std::string> courses_;    ///< holds at most one more course than the message names
};

}    // namespace

namespace {

/// Collects the lectures of a published timetable one after the other.
class PublishedLectures {
public:
    explicit PublishedLectures(const Problem& problem) : problem_(problem), names_(problem) {}

    const NamesOfInstance& names() const { return names_; }

    /// Adds a lecture. The day and the period may be negative or too large: then the week no longer has them.
    void add(std::string_view courseName, std::string_view room, int day, int periodOfDay, std::string place) {
        const int course = names_.course(courseName);
        if (course < 0) return leftOut_.addUnknown(courseName);
        const bool isInWeek = day >= 0 && day < problem_.dayCount() && periodOfDay >= 0 && periodOfDay < problem_.periodsPerDay();
        if (!seen_.emplace(course, day, periodOfDay).second && isInWeek) return leftOut_.addDouble();
        timetable_.lectures.push_back(
            {course, isInWeek ? day * problem_.periodsPerDay() + periodOfDay : -1, names_.room(room), std::move(place)});
    }

    PublishedTimetable take(const std::string& file) {
        if (timetable_.lectures.empty()) throw InputError(file, "expected lectures of the courses of the instance, found none");
        timetable_.leftOut = leftOut_.text();
        return std::move(timetable_);
    }

private:
    const Problem& problem_;
    NamesOfInstance names_;
    PublishedTimetable timetable_;
    LeftOutLines leftOut_;
    std::set<std::tuple<int, int, int>> seen_;
};

PublishedTimetable readPublishedRows(TextFile file, const Problem& problem) {
    const TimetableRows rows = TimetableRows::read(std::move(file), "course", "lectures", limits::LectureCount);
    PublishedLectures lectures(problem);
    std::int64_t withoutRoom = 0;
    for (const TimetableRow& row : rows.rows()) {
        if (row.room.empty()) ++withoutRoom;
        if (row.day.empty() || row.period.empty()) rows.fail(row, row.day.empty() ? "day" : "period", "a value", "");
        const std::optional<int> day = lectures.names().findDay(rows, row);
        const std::optional<int> period = lectures.names().findPeriod(rows, row);
        const bool isInWeek = day && period;
        const auto text = [](const std::string& cell, const char* noun) {
            const bool isNumber = cell.find_first_not_of("0123456789") == std::string::npos;
            return isNumber ? fmt::format("{} {}", noun, cell) : printable(cell);
        };
        const std::string time = isInWeek ? problem.periodText(*day * problem.periodsPerDay() + *period)
                                          : fmt::format("{} {}", text(row.day, "day"), text(row.period, "period"));
        lectures.add(row.item, row.room, day.value_or(-1), period.value_or(-1), fmt::format("{} room {}", time, printable(row.room)));
    }
    PublishedTimetable timetable = lectures.take(rows.file());
    tellNotes(rows.notes());
    if (withoutRoom > 0)
        tellNotes({fmt::format("{}: {} without a room, so moved wherever it is; a table without rooms is for --pin", printable(rows.file()),
                               counted(withoutRoom, "lecture"))});
    return timetable;
}

}    // namespace

PublishedTimetable readPublished(TextFile file, const Problem& problem) {
    if (TimetableRows::formatOf(file) != TimetableRows::Format::Competition) return readPublishedRows(std::move(file), problem);
    PublishedLectures lectures(problem);
    std::size_t lineCount = 0;
    for (TextLine line = file.next(); !line.words.empty(); line = file.next()) {
        LineParser parser(file.name(), line);
        parser.expectWords(4, 4, "course room day period");
        if (++lineCount > limits::LectureCount) parser.fail(fmt::format("at most {} lectures", limits::LectureCount), line.text);
        const std::string_view courseName = parser.word();
        const std::string_view room = parser.word();
        const int day = parser.number("a day", 0, limits::DayCount - 1);
        const int periodOfDay = parser.number("a period of the day", 0, limits::PeriodsPerDay - 1);
        const bool isInWeek = day < problem.dayCount() && periodOfDay < problem.periodsPerDay();
        const std::string time =
            isInWeek ? problem.periodText(day * problem.periodsPerDay() + periodOfDay) : fmt::format("day {} period {}", day, periodOfDay);
        lectures.add(courseName, room, day, periodOfDay, fmt::format("{} room {}", time, printable(room)));
    }
    return lectures.take(file.name());
}

PublishedTimetable readPublished(const std::string& path, const Problem& problem) { return readPublished(TextFile::load(path), problem); }

std::vector<Pin> readPins(TextFile file, const Problem& problem) {
    const TimetableRows rows = readRowsOfPins(std::move(file));
    const NamesOfInstance names(problem);
    PinBoard board(problem);
    std::vector<Pin> pins;
    for (const TimetableRow& row : rows.rows()) {
        Pin pin;
        pin.course = names.courseOf(rows, row);
        pin.period = names.periodOf(rows, row);
        if (!row.room.empty()) pin.room = names.roomOf(rows, row);
        if (const auto contradiction = board.add(pin)) rows.failAt(row, *contradiction);
        pins.push_back(pin);
    }
    tellNotes(rows.notes());
    return pins;
}

std::vector<Pin> readPins(const std::string& path, const Problem& problem) { return readPins(TextFile::load(path), problem); }

std::vector<Pin> pinsOfAllBut(const std::set<std::string>& courses, const std::vector<PublishedLecture>& lectures, const Problem& problem) {
    constexpr const char* Option = "--pin-all-but";
    const NamesOfInstance names(problem);
    std::set<int> free;
    for (const std::string& course : courses) {
        free.insert(names.course(course));
        if (names.course(course) < 0)
            throw InputError(Option, fmt::format("expected courses of the instance, {}{}", foundInWords(course), names.likeCourse(course)));
    }
    PinBoard board(problem);
    std::vector<Pin> pins;
    for (const PublishedLecture& lecture : lectures) {
        const std::string& course = problem.course(lecture.course).id;
        if (free.contains(lecture.course)) continue;
        std::optional<std::string> contradiction;
        if (lecture.period < 0) contradiction = "the week no longer has its period";
        if (lecture.room < 0) contradiction = "its room is no longer there";
        if (!contradiction) contradiction = board.add({lecture.course, lecture.period, lecture.room});
        if (contradiction)
            throw InputError(Option,
                             printable(fmt::format("course {} cannot stay on {}: {}", course, lecture.place, *contradiction), 1000));
        pins.push_back({lecture.course, lecture.period, lecture.room});
    }
    return pins;
}

}    // namespace timetabling::curriculum
