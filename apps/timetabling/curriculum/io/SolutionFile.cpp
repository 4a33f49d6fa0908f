#include <ferry/apps/timetabling/curriculum/io/SolutionFile.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/io/NamesOfInstance.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/LineParser.hpp>
#include <ferry/apps/timetabling/io/TimetableRows.hpp>
#include <ferry/apps/timetabling/io/standardStreams.hpp>
#include <ferry/apps/timetabling/model/counted.hpp>

namespace timetabling::curriculum {

namespace {

/// Tells of lectures of one course in one period, of which the first one counts, and of a file without lectures.
void tellRepetitions(const std::string& file, const Problem& problem, const Solution& solution) {
    if (solution.placements.empty()) tellNotes({fmt::format("{}: the file has no lectures", printable(file))});
    std::set<std::pair<int, int>> seen;
    std::int64_t count = 0;
    std::string first;
    for (const Placement& one : solution.placements) {
        if (seen.emplace(one.course, one.period).second) continue;
        if (++count == 1) first = fmt::format("{} on {}", problem.course(one.course).id, problem.periodText(one.period));
    }
    if (count == 0) return;
    tellNotes({fmt::format("{}: {} in a period that has a lecture of the same course already, and left out ({}{})", file,
                           counted(count, "lecture"), first, count > 1 ? ", ..." : "")});
}

/// Reads a table or a JSON report that this program has written, and people may have changed.
Solution readRows(TextFile file, const Problem& problem) {
    const TimetableRows rows = TimetableRows::read(std::move(file), "course", "lectures", limits::LectureCount);
    const NamesOfInstance names(problem);
    Solution solution;
    for (const TimetableRow& row : rows.rows())
        solution.placements.push_back({names.courseOf(rows, row), names.periodOf(rows, row), names.roomOf(rows, row)});
    tellNotes(rows.notes());
    tellRepetitions(rows.file(), problem, solution);
    return solution;
}

}    // namespace

Solution readSolution(TextFile file, const Problem& problem) {
    if (TimetableRows::formatOf(file) != TimetableRows::Format::Competition) return readRows(std::move(file), problem);
    const NamesOfInstance names(problem);
    const auto find = [](int number, LineParser& parser, const char* kind, std::string_view id) {
        if (number < 0) parser.fail(fmt::format("a {} of the instance", kind), id);
        return number;
    };
    Solution solution;
    for (TextLine line = file.next(); !line.words.empty(); line = file.next()) {
        LineParser parser(file.name(), line);
        parser.expectWords(4, 4, "course room day period");
        if (solution.placements.size() >= limits::LectureCount)
            parser.fail(fmt::format("at most {} lectures", limits::LectureCount), line.text);
        Placement placement;
        const std::string_view course = parser.word();
        placement.course = find(names.course(course), parser, "course", course);
        const std::string_view room = parser.word();
        placement.room = find(names.room(room), parser, "room", room);
        const int day = parser.number("a day", 0, problem.dayCount() - 1);
        placement.period = day * problem.periodsPerDay() + parser.number("a period of the day", 0, problem.periodsPerDay() - 1);
        solution.placements.push_back(placement);
    }
    tellRepetitions(file.name(), problem, solution);
    return solution;
}

Solution readSolution(const std::string& path, const Problem& problem) { return readSolution(TextFile::load(path), problem); }

std::string writeSolution(const Problem& problem, const Solution& solution) {
    std::string text;
    for (const Placement& placement : solution.placements) {
        text += fmt::format("{} {} {} {}\n", NamesOfInstance::plain(problem.course(placement.course).id),
                            NamesOfInstance::plain(problem.room(placement.room).id), problem.dayOf(placement.period),
                            problem.periodOfDay(placement.period));
    }
    return text;
}

}    // namespace timetabling::curriculum
