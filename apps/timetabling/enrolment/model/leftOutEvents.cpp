#include <ferry/apps/timetabling/enrolment/model/leftOutEvents.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

#include <fmt/format.h>

#include <ferry/apps/timetabling/enrolment/model/wording.hpp>

namespace timetabling::enrolment {

namespace {

bool isBetween(const Problem& problem, const Solution& solution, int event, int period) {
    const auto periodOf = [&](int other) { return solution[static_cast<std::size_t>(other)].period; };
    for (const int other : problem.earlierThan(event)) {
        if (periodOf(other) >= period) return false;
    }
    for (const int other : problem.laterThan(event)) {
        if (periodOf(other) >= 0 && periodOf(other) <= period) return false;
    }
    return true;
}

std::string reasonOf(const Problem& problem, const Solution& solution, const std::vector<std::vector<int>>& eventsIn, int event) {
    if (problem.suitableRooms(event).empty())
        return fmt::format("no room has {} seats and the features that it needs", problem.studentsOf(event).size());
    Obstacles obstacles;
    for (int period = 0; period < PeriodCount; ++period) {
        const std::vector<int>& there = eventsIn[static_cast<std::size_t>(period)];
        const auto isFree = [&](int room) {
            return std::none_of(there.begin(), there.end(),
                                [&](int other) { return solution[static_cast<std::size_t>(other)].room == room; });
        };
        const std::span<const int> rooms = problem.suitableRooms(event);
        const auto room = std::find_if(rooms.begin(), rooms.end(), isFree);
        if (!problem.isOpen(event, period)) {
            obstacles.addClosed();
        } else if (std::any_of(there.begin(), there.end(), [&](int other) { return problem.shareStudents(event, other); })) {
            obstacles.addTaken("events of its students");
        } else if (!isBetween(problem, solution, event, period)) {
            obstacles.addTaken("the wrong order with events before or after it");
        } else if (room == rooms.end()) {
            obstacles.addFull();
        } else {
            obstacles.addFree(fmt::format("{} in room {}", when(period), *room));
        }
    }
    return obstacles.text(PeriodCount, "free room that suits it");
}

}    // namespace

std::vector<LeftOut> leftOutEvents(const Problem& problem, const Solution& solution) {
    std::vector<std::vector<int>> eventsIn(static_cast<std::size_t>(PeriodCount));
    for (int event = 0; event < problem.eventCount(); ++event) {
        const Place& place = solution[static_cast<std::size_t>(event)];
        if (place.isPlaced()) eventsIn[static_cast<std::size_t>(place.period)].push_back(event);
    }
    std::vector<LeftOut> leftOut;
    for (int event = 0; event < problem.eventCount(); ++event) {
        if (!solution[static_cast<std::size_t>(event)].isPlaced())
            leftOut.push_back({event, 1, reasonOf(problem, solution, eventsIn, event)});
    }
    return leftOut;
}

}    // namespace timetabling::enrolment
