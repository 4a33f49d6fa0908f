#include <ferry/apps/timetabling/enrolment/io/SolutionFile.hpp>

#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/NumberReader.hpp>

namespace timetabling::enrolment {

Solution readPlaces(TextFile file, int eventCount, int roomCount) {
    NumberReader numbers(file);
    Solution solution;
    for (int event = 0; event < eventCount; ++event) {
        Place place;
        place.period = numbers.next(fmt::format("the period of event {}", event), -1, PeriodCount - 1);
        const int lastRoom = place.isPlaced() ? roomCount - 1 : -1;
        place.room = numbers.next(fmt::format("the room of event {}", event), -1, lastRoom);
        solution.push_back(place);
    }
    if (!numbers.isAtEnd()) {
        throw InputError(file.name(), numbers.lineNumber(),
                         fmt::format("expected the end of the file after {} events, found more", eventCount));
    }
    return solution;
}

Solution readSolution(TextFile file, const Problem& problem) {
    return readPlaces(std::move(file), problem.eventCount(), problem.roomCount());
}

Solution readSolution(const std::string& path, const Problem& problem) { return readSolution(TextFile::load(path), problem); }

std::string writeSolution(const Solution& solution) {
    std::string text;
    for (const Place& place : solution) text += fmt::format("{} {}\n", place.period, place.room);
    return text;
}

}    // namespace timetabling::enrolment
