#include <ferry/apps/timetabling/enrolment/search/Infeasibility.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/enrolment/model/openPeriodsBeside.hpp>
#include <ferry/apps/timetabling/enrolment/model/wording.hpp>
#include <ferry/apps/timetabling/model/contains.hpp>
#include <ferry/apps/timetabling/search/Matching.hpp>
#include <ferry/apps/timetabling/search/deletionFilter.hpp>

namespace timetabling::enrolment {

namespace {

using Pins = std::vector<Pin>;

constexpr std::chrono::milliseconds filterLimit{700};

std::string openPeriodsOf(const Problem& problem, int event) {
    return fmt::format("{} of {} periods are open to event {}", problem.openPeriods(event).size(), PeriodCount, event);
}

/// Adds, for each event with closed periods, a line with the number of its open periods.
void addOpenPeriods(Infeasibility& result, const Problem& problem, const std::vector<int>& events) {
    for (const int event : events) {
        if (static_cast<int>(problem.openPeriods(event).size()) < PeriodCount) result.demands.push_back(openPeriodsOf(problem, event));
    }
}

/// Whether no room has this number of seats and all these features.
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

/// Returns, for each event, the periods that the instance and the pins leave open.
std::vector<PeriodSet> openPeriodsOfAll(const Problem& problem, const Pins& pins) {
    std::vector<PeriodSet> open;
    for (int event = 0; event < problem.eventCount(); ++event) open.push_back(openPeriodsBeside(problem, event, pins));
    return open;
}

/// The reason why a pin may close a period to the event.
std::string bondOf(const Problem& problem, const Pin& pin, int event) {
    if (problem.shareStudents(pin.event, event)) return "shares students with";
    if (contains(problem.earlierThan(event), pin.event)) return "has to be before";
    if (contains(problem.laterThan(event), pin.event)) return "has to be after";
    return "is where there is a room for";
}

std::optional<Infeasibility> findCrowdedOutEvent(const Problem& problem, const Pins& pins) {
    for (int event = 0; event < problem.eventCount(); ++event) {
        const auto hasNone = [&](const Pins& some) { return openPeriodsBeside(problem, event, some) == 0; };
        if (!hasNone(pins)) continue;
        Infeasibility result;
        result.reason = fmt::format("event {} has no open period beside what is pinned", event);
        const auto needed = deletionFilter(pins, hasNone, filterLimit);
        result.isMinimal = needed.isMinimal;
        for (const Pin& pin : needed.items)
            result.demands.push_back(fmt::format("{}, {} event {}", describe(pin), bondOf(problem, pin, event), event));
        addOpenPeriods(result, problem, {event});
        return result;
    }
    return std::nullopt;
}

/// Number of periods that are open to at least one of the events.
int countOpenPeriods(const Problem& problem, const std::vector<int>& events, const Pins& pins) {
    PeriodSet open = 0;
    for (const int event : events) open |= openPeriodsBeside(problem, event, pins);
    return std::popcount(open);
}

/// Returns a set of the events that have fewer open periods together than there are events in the set.
/// Empty when each event can have its own period.
std::vector<int> findCrowdedEvents(const std::vector<int>& events, const std::vector<PeriodSet>& open) {
    Matching periods(PeriodCount);
    for (std::size_t i = 0; i < events.size(); ++i) {
        std::vector<int> ofEvent;
        for (PeriodSet left = open[static_cast<std::size_t>(events[i])]; left != 0; left &= left - 1)
            ofEvent.push_back(std::countr_zero(left));
        if (periods.add(static_cast<int>(i), ofEvent)) continue;
        std::vector<int> crowded = periods.rivals();
        for (int& one : crowded) one = events[static_cast<std::size_t>(one)];
        return crowded;
    }
    return {};
}

Infeasibility explainBusy(const Problem& problem, int student, const std::vector<int>& events, const Pins& pins) {
    const auto areTooMany = [&](const std::vector<int>& some, const Pins& somePins) {
        return static_cast<int>(some.size()) > countOpenPeriods(problem, some, somePins);
    };
    const auto neededPins = deletionFilter(
        pins, [&](const Pins& fewer) { return areTooMany(events, fewer); }, filterLimit);
    const auto needed = deletionFilter(
        events, [&](const auto& fewer) { return areTooMany(fewer, neededPins.items); }, filterLimit);
    Infeasibility result;
    result.isMinimal = neededPins.isMinimal && needed.isMinimal;
    result.reason = fmt::format("student {} attends {} events but only {} periods are open to them{}", student, events.size(),
                                countOpenPeriods(problem, events, pins), neededPins.items.empty() ? "" : " beside what is pinned");
    for (const int event : needed.items) {
        result.demands.push_back(fmt::format("student {} attends event {}", student, event));
        addOpenPeriods(result, problem, {event});
    }
    for (const Pin& pin : neededPins.items) result.demands.push_back(describe(pin));
    return result;
}

std::optional<Infeasibility> findBusyStudent(const Problem& problem, const Pins& pins) {
    const std::vector<PeriodSet> open = openPeriodsOfAll(problem, pins);
    for (int student = 0; student < problem.studentCount(); ++student) {
        const std::vector<int> crowded = findCrowdedEvents(problem.instance().eventsOfStudent[static_cast<std::size_t>(student)], open);
        if (!crowded.empty()) return explainBusy(problem, student, crowded, pins);
    }
    return std::nullopt;
}

/// The open periods of events, narrowed along precedences.
class Spans {
public:
    explicit Spans(const std::vector<PeriodSet>& open) : open_(open) {
        for (const PeriodSet periods : open) {
            first_.push_back(std::countr_zero(periods));
            last_.push_back(std::bit_width(periods) - 1);
        }
    }

    /// Narrows the spans until nothing changes. Returns an event without an open period, or nothing when there is none.
    std::optional<int> narrow(const std::vector<Precedence>& precedences) {
        for (bool isChanged = true; isChanged;) {
            isChanged = false;
            for (const auto& [earlier, later] : precedences) {
                const auto before = std::pair(first(later), last(earlier));
                first(later) = std::max(first(later), first(earlier) + 1);
                last(earlier) = std::min(last(earlier), last(later) - 1);
                while (first(later) <= last(later) && !isOpen(later, first(later))) ++first(later);
                while (last(earlier) >= first(earlier) && !isOpen(earlier, last(earlier))) --last(earlier);
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
    bool isOpen(int event, int period) const { return (open_[static_cast<std::size_t>(event)] >> period & 1U) != 0; }

    const std::vector<PeriodSet>& open_;    ///< indexed by event; no set is empty
    std::vector<int> first_;
    std::vector<int> last_;
};

std::vector<int> eventsOf(const std::vector<Precedence>& precedences) {
    std::vector<int> events;
    for (const auto& [earlier, later] : precedences) events.insert(events.end(), {earlier, later});
    std::sort(events.begin(), events.end());
    events.erase(std::unique(events.begin(), events.end()), events.end());
    return events;
}

std::optional<Infeasibility> findTightPrecedence(const Problem& problem, const Pins& pins) {
    const std::vector<PeriodSet> open = openPeriodsOfAll(problem, pins);
    const std::vector<Precedence>& all = problem.instance().second.precedences;
    const std::optional<int> event = Spans(open).narrow(all);
    if (!event) return std::nullopt;
    const auto needed = deletionFilter(
        all, [&](const auto& fewer) { return Spans(open).narrow(fewer).has_value(); }, filterLimit);
    const std::vector<int> events = eventsOf(needed.items);
    const auto areTooTight = [&](const Pins& some) {
        std::vector<PeriodSet> beside = open;
        for (const int one : events) beside[static_cast<std::size_t>(one)] = openPeriodsBeside(problem, one, some);
        return Spans(beside).narrow(needed.items).has_value();
    };
    const auto neededPins = deletionFilter(pins, areTooTight, filterLimit);
    Infeasibility result;
    result.isMinimal = needed.isMinimal && neededPins.isMinimal;
    result.reason = fmt::format("event {} has no open period between those that have to be before and after it", *event);
    for (const auto& [earlier, later] : needed.items) result.demands.push_back(fmt::format("event {} is before event {}", earlier, later));
    addOpenPeriods(result, problem, events);
    for (const Pin& pin : neededPins.items) result.demands.push_back(describe(pin));
    return result;
}

/// The problem must not have pins of its own.
std::optional<Infeasibility> findProof(const Problem& problem, const Pins& pins) {
    if (auto proof = findHomelessEvent(problem)) return proof;
    if (auto proof = findCrowdedOutEvent(problem, pins)) return proof;
    if (auto proof = findTooFewPlaces(problem)) return proof;
    if (auto proof = findBusyStudent(problem, pins)) return proof;
    return findTightPrecedence(problem, pins);
}

}    // namespace

std::optional<Infeasibility> findInfeasibility(const Problem& problem) {
    if (!problem.hasPins()) return findProof(problem, {});
    const Problem free(withoutPins(problem.instance()));
    if (auto proof = findProof(free, {})) return proof;
    return findProof(free, problem.instance().published.pins);
}

}    // namespace timetabling::enrolment
