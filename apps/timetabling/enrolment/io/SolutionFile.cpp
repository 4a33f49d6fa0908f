#include <ferry/apps/timetabling/enrolment/io/SolutionFile.hpp>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/NumberReader.hpp>

namespace timetabling::enrolment {

Solution readSolution(TextFile file, const Problem& problem) {
    NumberReader numbers(file);
    Solution solution;
    for (int event = 0; event < problem.eventCount(); ++event) {
        Place place;
        place.period = numbers.next(fmt::format("the period of event {}", event), -1, PeriodCount - 1);
        const int lastRoom = place.isPlaced() ? problem.roomCount() - 1 : -1;
        place.room = numbers.next(fmt::format("the room of event {}", event), -1, lastRoom);
        solution.push_back(place);
    }
    if (!numbers.isAtEnd()) {
        throw InputError(file.name(), numbers.lineNumber(),
                         fmt::format("expected the end of the file after {} events, found more", problem.eventCount()));
    }
    return solution;
}

Solution readSolution(const std::string& path, const Problem& problem) { return readSolution(TextFile::load(path), problem); }

std::string writeSolution(const Solution& solution) {
    std::string text;
    for (const Place& place : solution) text += fmt::format("{} {}\n", place.period, place.room);
    return text;
}

}    // namespace timetabling::enrolment
