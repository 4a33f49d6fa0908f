#include <ferry/apps/timetabling/curriculum/io/SolutionFile.hpp>

#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/LineParser.hpp>

namespace timetabling::curriculum {

Solution readSolution(TextFile file, const Problem& problem) {
    std::unordered_map<std::string_view, int> courseNumbers;
    for (int course = 0; course < problem.courseCount(); ++course) courseNumbers.emplace(problem.course(course).id, course);
    std::unordered_map<std::string_view, int> roomNumbers;
    for (int room = 0; room < problem.roomCount(); ++room) roomNumbers.emplace(problem.room(room).id, room);

    const auto find = [](const auto& numbers, LineParser& parser, const char* kind) {
        const std::string_view id = parser.word();
        const auto found = numbers.find(id);
        if (found == numbers.end()) parser.fail(fmt::format("a {} of the instance", kind), id);
        return found->second;
    };
    Solution solution;
    for (TextLine line = file.next(); !line.words.empty(); line = file.next()) {
        LineParser parser(file.name(), line);
        parser.expectWords(4, 4, "course room day period");
        if (solution.placements.size() >= limits::LectureCount)
            parser.fail(fmt::format("at most {} lectures", limits::LectureCount), line.text);
        Placement placement;
        placement.course = find(courseNumbers, parser, "course");
        placement.room = find(roomNumbers, parser, "room");
        const int day = parser.number("a day", 0, problem.dayCount() - 1);
        placement.period = day * problem.periodsPerDay() + parser.number("a period of the day", 0, problem.periodsPerDay() - 1);
        solution.placements.push_back(placement);
    }
    return solution;
}

Solution readSolution(const std::string& path, const Problem& problem) { return readSolution(TextFile::load(path), problem); }

std::string writeSolution(const Problem& problem, const Solution& solution) {
    std::string text;
    for (const Placement& placement : solution.placements) {
        text += fmt::format("{} {} {} {}\n", problem.course(placement.course).id, problem.room(placement.room).id,
                            problem.dayOf(placement.period), problem.periodOfDay(placement.period));
    }
    return text;
}

}    // namespace timetabling::curriculum
