#include <ferry/apps/timetabling/enrolment/search/Infeasibility.hpp>

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace timetabling::enrolment {

namespace {

std::optional<std::string> findHomelessEvent(const Problem& problem) {
    for (int event = 0; event < problem.eventCount(); ++event) {
        if (problem.suitableRooms(event).empty()) {
            return fmt::format("event {} has {} students and needs {} features, but no room has the seats and the features", event,
                               problem.studentsOf(event).size(),
                               problem.instance().featuresOfEvent[static_cast<std::size_t>(event)].size());
        }
        if (problem.openPeriods(event).empty()) return fmt::format("event {} has no open period", event);
    }
    return std::nullopt;
}

std::optional<std::string> findBusyStudent(const Problem& problem) {
    for (int student = 0; student < problem.studentCount(); ++student) {
        const std::vector<int>& events = problem.instance().eventsOfStudent[static_cast<std::size_t>(student)];
        int open = 0;
        for (int period = 0; period < PeriodCount; ++period) {
            open += std::any_of(events.begin(), events.end(), [&](int event) { return problem.isOpen(event, period); }) ? 1 : 0;
        }
        if (static_cast<int>(events.size()) > open) {
            return fmt::format("student {} attends {} events but only {} periods are open to them", student, events.size(), open);
        }
    }
    return std::nullopt;
}

/// Narrows the open periods down along the precedences, until nothing changes or one has none left.
std::optional<std::string> findTightPrecedence(const Problem& problem) {
    std::vector<int> earliest;
    std::vector<int> latest;
    for (int event = 0; event < problem.eventCount(); ++event) {
        earliest.push_back(problem.openPeriods(event).front());
        latest.push_back(problem.openPeriods(event).back());
    }
    const auto narrow = [&](int event) {
        int& first = earliest[static_cast<std::size_t>(event)];
        int& last = latest[static_cast<std::size_t>(event)];
        const auto before = std::pair(first, last);
        for (const int other : problem.earlierThan(event)) first = std::max(first, earliest[static_cast<std::size_t>(other)] + 1);
        for (const int other : problem.laterThan(event)) last = std::min(last, latest[static_cast<std::size_t>(other)] - 1);
        while (first <= last && !problem.isOpen(event, first)) ++first;
        while (last >= first && !problem.isOpen(event, last)) --last;
        return before != std::pair(first, last);
    };
    for (bool isChanged = true; isChanged;) {
        isChanged = false;
        for (int event = 0; event < problem.eventCount(); ++event) {
            isChanged = narrow(event) || isChanged;
            if (earliest[static_cast<std::size_t>(event)] > latest[static_cast<std::size_t>(event)]) {
                return fmt::format("event {} has no open period between those that have to be before and after it", event);
            }
        }
    }
    return std::nullopt;
}

}    // namespace

std::optional<std::string> findInfeasibility(const Problem& problem) {
    if (auto proof = findHomelessEvent(problem)) return proof;
    const int places = problem.slotCount();
    if (problem.eventCount() > places) {
        return fmt::format("there are {} events but only {} places: {} rooms x {} periods", problem.eventCount(), places,
                           problem.roomCount(), PeriodCount);
    }
    if (auto proof = findBusyStudent(problem)) return proof;
    return findTightPrecedence(problem);
}

}    // namespace timetabling::enrolment
