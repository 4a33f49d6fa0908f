#include <ferry/apps/timetabling/enrolment/io/SolutionFile.hpp>

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/NumberReader.hpp>
#include <ferry/apps/timetabling/io/TimetableRows.hpp>
#include <ferry/apps/timetabling/io/standardStreams.hpp>

namespace timetabling::enrolment {

namespace {

/// Reads a table or a JSON report that this program has written, and people may have changed. Events without a row are left out.
Solution readRows(TextFile file, int eventCount, int roomCount) {
    const TimetableRows rows = TimetableRows::read(std::move(file), "event", "events", limits::EventCount);
    Solution solution(static_cast<std::size_t>(eventCount));
    std::vector<bool> isSeen(solution.size(), false);
    for (const TimetableRow& row : rows.rows()) {
        const auto event = static_cast<std::size_t>(rows.number(row, "event", row.item, eventCount));
        if (isSeen[event]) rows.fail(row, "event", "each event once", row.item);
        isSeen[event] = true;
        if (row.day.empty() && row.period.empty() && row.room.empty()) continue;
        const int day = rows.number(row, "day", row.day, DayCount);
        solution[event].period = day * PeriodsPerDay + rows.number(row, "period", row.period, PeriodsPerDay);
        solution[event].room = rows.number(row, "room", row.room, roomCount);
    }
    tellNotes(rows.notes());
    return solution;
}

}    // namespace

Solution readPlaces(TextFile file, int eventCount, int roomCount) {
    if (TimetableRows::formatOf(file) != TimetableRows::Format::Competition) return readRows(std::move(file), eventCount, roomCount);
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
