#include <ferry/apps/timetabling/curriculum/io/PublishedFile.hpp>

#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/apps/timetabling/curriculum/model/PinBoard.hpp>
#include <ferry/apps/timetabling/io/CsvReader.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/LineParser.hpp>
#include <ferry/apps/timetabling/io/readPinRows.hpp>

namespace timetabling::curriculum {

namespace {

using Numbers = std::unordered_map<std::string_view, int>;

template <class Named>
Numbers numbersOf(const std::vector<Named>& all) {
    Numbers numbers;
    for (std::size_t i = 0; i < all.size(); ++i) numbers.emplace(all[i].id, static_cast<int>(i));
    return numbers;
}

int numberOf(const Numbers& numbers, std::string_view id) {
    const auto found = numbers.find(id);
    return found == numbers.end() ? -1 : found->second;
}

int numberIn(const CsvReader& table, const char* kind, const Numbers& numbers) {
    const int number = numberOf(numbers, table.text(kind));
    if (number < 0) table.fail(kind, fmt::format("a {} of this instance", kind));
    return number;
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

PublishedTimetable readPublished(TextFile file, const Problem& problem) {
    const Numbers courses = numbersOf(problem.instance().courses);
    const Numbers rooms = numbersOf(problem.instance().rooms);
    PublishedTimetable timetable;
    LeftOutLines leftOut;
    std::set<std::tuple<int, int, int>> seen;
    std::size_t lineCount = 0;
    for (TextLine line = file.next(); !line.words.empty(); line = file.next()) {
        LineParser parser(file.name(), line);
        parser.expectWords(4, 4, "course room day period");
        if (++lineCount > limits::LectureCount) parser.fail(fmt::format("at most {} lectures", limits::LectureCount), line.text);
        const std::string_view courseName = parser.word();
        const int course = numberOf(courses, courseName);
        const std::string_view room = parser.word();
        const int day = parser.number("a day", 0, limits::DayCount - 1);
        const int periodOfDay = parser.number("a period of the day", 0, limits::PeriodsPerDay - 1);
        if (course < 0) {
            leftOut.addUnknown(courseName);
            continue;
        }
        if (!seen.emplace(course, day, periodOfDay).second) {
            leftOut.addDouble();
            continue;
        }
        const bool isInWeek = day < problem.dayCount() && periodOfDay < problem.periodsPerDay();
        timetable.lectures.push_back({course, isInWeek ? day * problem.periodsPerDay() + periodOfDay : -1, numberOf(rooms, room),
                                      fmt::format("day {} period {} room {}", day, periodOfDay, printable(room))});
    }
    if (timetable.lectures.empty()) throw InputError(file.name(), "expected lectures of the courses of the instance, found none");
    timetable.leftOut = leftOut.text();
    return timetable;
}

PublishedTimetable readPublished(const std::string& path, const Problem& problem) { return readPublished(TextFile::load(path), problem); }

std::vector<Pin> readPins(TextFile file, const Problem& problem) {
    const Numbers courses = numbersOf(problem.instance().courses);
    const Numbers rooms = numbersOf(problem.instance().rooms);
    CsvReader table(std::move(file), {"course", "day", "period"}, {"room"});
    PinBoard board(problem);
    return readPinRows(table, board, [&] {
        Pin pin;
        pin.course = numberIn(table, "course", courses);
        const int day = table.number("day", 0, problem.dayCount() - 1);
        pin.period = day * problem.periodsPerDay() + table.number("period", 0, problem.periodsPerDay() - 1);
        if (table.has("room")) pin.room = numberIn(table, "room", rooms);
        return pin;
    });
}

std::vector<Pin> readPins(const std::string& path, const Problem& problem) { return readPins(TextFile::load(path), problem); }

std::vector<Pin> pinsOfAllBut(const std::set<std::string>& courses, const std::vector<PublishedLecture>& lectures, const Problem& problem) {
    constexpr const char* Option = "--pin-all-but";
    const Numbers numbers = numbersOf(problem.instance().courses);
    for (const std::string& course : courses) {
        if (numberOf(numbers, course) < 0)
            throw InputError(Option, fmt::format("expected courses of the instance, found '{}'", printable(course)));
    }
    PinBoard board(problem);
    std::vector<Pin> pins;
    for (const PublishedLecture& lecture : lectures) {
        const std::string& course = problem.course(lecture.course).id;
        if (courses.contains(course)) continue;
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
