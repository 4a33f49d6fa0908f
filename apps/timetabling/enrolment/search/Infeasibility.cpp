#include <ferry/apps/timetabling/enrolment/search/Infeasibility.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/search/deletionFilter.hpp>

namespace timetabling::enrolment {

namespace {

constexpr std::chrono::milliseconds filterLimit{700};

std::string openPeriodsOf(const Problem& problem, int event) {
    return fmt::format("{} of {} periods are open to event {}", problem.openPeriods(event).size(), PeriodCount, event);
}

/// Does no room have so many seats and all these features?
bool isHomeless(const Problem& problem, std::size_t seats, const std::vector<int>& features) {
    for (int room = 0; room < problem.roomCount(); ++room) {
        const std::vector<int>& offered = problem.instance().featuresOfRoom[static_cast<std::size_t>(room)];
        const bool hasSeats = static_cast<std::size_t>(problem.instance().roomSeats[static_cast<std::size_t>(room)]) >= seats;
        if (hasSeats && std::includes(offered.begin(), offered.end(), features.begin(), features.end())) return false;
    }
    return true;
}

Infeasibility explainHomeless(const Problem& problem, int event) {
    const std::vector<int>& features = problem.instance().featuresOfEvent[static_cast<std::size_t>(event)];
    const std::size_t students = problem.studentsOf(event).size();
    const std::size_t seats = isHomeless(problem, 0, features) ? 0 : students;
    Infeasibility result;
    result.reason = fmt::format("event {} has {} students and needs {} features, but no room has the seats and the features", event,
                                students, features.size());
    if (seats > 0) result.demands.push_back(fmt::format("event {} has {} students", event, students));
    const auto needed = deletionFilter(
        features, [&](const auto& fewer) { return isHomeless(problem, seats, fewer); }, filterLimit);
    for (const int feature : needed.items) result.demands.push_back(fmt::format("event {} needs feature {}", event, feature));
    result.isMinimal = needed.isMinimal;
    return result;
}

std::optional<Infeasibility> findHomelessEvent(const Problem& problem) {
    for (int event = 0; event < problem.eventCount(); ++event) {
        if (problem.suitableRooms(event).empty()) return explainHomeless(problem, event);
        if (problem.openPeriods(event).empty())
            return Infeasibility{fmt::format("event {} has no open period", event), {openPeriodsOf(problem, event)}};
    }
    return std::nullopt;
}

std::optional<Infeasibility> findTooFewPlaces(const Problem& problem) {
    const int places = problem.slotCount();
    if (problem.eventCount() <= places) return std::nullopt;
    return Infeasibility{
        fmt::format("there are {} events but only {} places: {} rooms x {} periods", problem.eventCount(), places, problem.roomCount(),
                    PeriodCount),
        {fmt::format("there are {} events", problem.eventCount()), fmt::format("there are {} rooms", problem.roomCount())}};
}

/// How many periods are open to one of the events, or more of them.
int countOpenPeriods(const Problem& problem, const std::vector<int>& events) {
    int open = 0;
    for (int period = 0; period < PeriodCount; ++period)
        open += std::any_of(events.begin(), events.end(), [&](int event) { return problem.isOpen(event, period); }) ? 1 : 0;
    return open;
}

std::optional<Infeasibility> findBusyStudent(const Problem& problem) {
    const auto areTooMany = [&](const std::vector<int>& events) {
        return static_cast<int>(events.size()) > countOpenPeriods(problem, events);
    };
    for (int student = 0; student < problem.studentCount(); ++student) {
        const std::vector<int>& events = problem.instance().eventsOfStudent[static_cast<std::size_t>(student)];
        if (!areTooMany(events)) continue;
        Infeasibility result;
        result.reason = fmt::format("student {} attends {} events but only {} periods are open to them", student, events.size(),
                                    countOpenPeriods(problem, events));
        const auto needed = deletionFilter(events, areTooMany, filterLimit);
        result.isMinimal = needed.isMinimal;
        for (const int event : needed.items) {
            result.demands.push_back(fmt::format("student {} attends event {}", student, event));
            if (static_cast<int>(problem.openPeriods(event).size()) < PeriodCount) result.demands.push_back(openPeriodsOf(problem, event));
        }
        return result;
    }
    return std::nullopt;
}

/// The open periods of events, narrowed down along precedences.
class Spans {
public:
    explicit Spans(const Problem& problem) : problem_(problem) {
        for (int event = 0; event < problem.eventCount(); ++event) {
            first_.push_back(problem.openPeriods(event).front());
            last_.push_back(problem.openPeriods(event).back());
        }
    }

    /// An event that has none left; none when nothing changes any more.
    std::optional<int> narrow(const std::vector<Precedence>& precedences) {
        for (bool isChanged = true; isChanged;) {
            isChanged = false;
            for (const auto& [earlier, later] : precedences) {
                const auto before = std::pair(first(later), last(earlier));
                first(later) = std::max(first(later), first(earlier) + 1);
                last(earlier) = std::min(last(earlier), last(later) - 1);
                while (first(later) <= last(later) && !problem_.isOpen(later, first(later))) ++first(later);
                while (last(earlier) >= first(earlier) && !problem_.isOpen(earlier, last(earlier))) --last(earlier);
                for (const int event : {earlier, later}) {
                    if (first(event) > last(event)) return event;
                }
                isChanged = isChanged || before != std::pair(first(later), last(earlier));
            }
        }
        return std::nullopt;
    }

private:
    int& first(int event) { return first_[static_cast<std::size_t>(event)]; }
    int& last(int event) { return last_[static_cast<std::size_t>(event)]; }

    const Problem& problem_;
    std::vector<int> first_;
    std::vector<int> last_;
};

std::optional<Infeasibility> findTightPrecedence(const Problem& problem) {
    const auto areTooTight = [&](const std::vector<Precedence>& precedences) { return Spans(problem).narrow(precedences).has_value(); };
    const std::vector<Precedence>& all = problem.instance().second.precedences;
    const std::optional<int> event = Spans(problem).narrow(all);
    if (!event) return std::nullopt;
    Infeasibility result;
    result.reason = fmt::format("event {} has no open period between those that have to be before and after it", *event);
    std::vector<int> events;
    const auto needed = deletionFilter(all, areTooTight, filterLimit);
    result.isMinimal = needed.isMinimal;
    for (const auto& [earlier, later] : needed.items) {
        result.demands.push_back(fmt::format("event {} is before event {}", earlier, later));
        events.insert(events.end(), {earlier, later});
    }
    std::sort(events.begin(), events.end());
    events.erase(std::unique(events.begin(), events.end()), events.end());
    for (const int involved : events) {
        if (static_cast<int>(problem.openPeriods(involved).size()) < PeriodCount)
            result.demands.push_back(openPeriodsOf(problem, involved));
    }
    return result;
}

}    // namespace

std::optional<Infeasibility> findInfeasibility(const Problem& problem) {
    if (auto proof = findHomelessEvent(problem)) return proof;
    if (auto proof = findTooFewPlaces(problem)) return proof;
    if (auto proof = findBusyStudent(problem)) return proof;
    return findTightPrecedence(problem);
}

}    // namespace timetabling::enrolment
