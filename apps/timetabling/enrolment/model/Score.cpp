#include <ferry/apps/timetabling/enrolment/model/Score.hpp>

#include <bit>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/enrolment/model/wording.hpp>

namespace timetabling::enrolment {

namespace {

int dayOf(int period) { return period / PeriodsPerDay; }
int periodOfDay(int period) { return period % PeriodsPerDay; }

/// Collects all violations in one timetable.
class Examination {
public:
    Examination(const Problem& problem, const Solution& solution)
        : problem_(problem),
          solution_(solution),
          eventsIn_(static_cast<std::size_t>(PeriodCount)) {
        for (int event = 0; event < problem.eventCount(); ++event) {
            if (placeOf(event).isPlaced()) eventsIn_[static_cast<std::size_t>(placeOf(event).period)].push_back(event);
        }
    }

    void findHard() {
        findUnplaced();
        findPairs(Constraint::StudentClashes);
        findPairs(Constraint::RoomOccupancy);
        findUnsuitableRooms();
        findClosedPeriods();
        findPrecedences();
    }

    void findSoft() {
        std::vector<std::array<unsigned, DayCount>> weeks(static_cast<std::size_t>(problem_.studentCount()));
        for (int event = 0; event < problem_.eventCount(); ++event) {
            const int period = placeOf(event).period;
            if (period < 0) continue;
            for (const int student : problem_.studentsOf(event)) {
                weeks[static_cast<std::size_t>(student)][static_cast<std::size_t>(dayOf(period))] |= 1U << periodOfDay(period);
            }
        }
        for (const Constraint constraint : {Constraint::LastPeriod, Constraint::ConsecutiveEvents, Constraint::SingleEvent}) {
            for (int student = 0; student < problem_.studentCount(); ++student) {
                for (int day = 0; day < DayCount; ++day) {
                    examineDay(constraint, student, day, weeks[static_cast<std::size_t>(student)][static_cast<std::size_t>(day)]);
                }
            }
        }
    }

    std::vector<Violation> takeFound() { return std::move(found_); }

private:
    const Place& placeOf(int event) const { return solution_[static_cast<std::size_t>(event)]; }

    Violation& add(Constraint constraint, std::int64_t amount) {
        found_.emplace_back();
        found_.back().constraint = constraint;
        found_.back().amount = amount;
        return found_.back();
    }

    void findUnplaced() {
        for (int event = 0; event < problem_.eventCount(); ++event) {
            if (!placeOf(event).isPlaced()) add(Constraint::Unplaced, problem_.absencePenalty(event)).event = event;
        }
    }

    int countShared(int eventA, int eventB) const {
        const std::span<const int> a = problem_.studentsOf(eventA);
        const std::span<const int> b = problem_.studentsOf(eventB);
        int count = 0;
        for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
            if (a[i] == b[j]) ++count;
            const bool isABehind = a[i] <= b[j];
            if (b[j] <= a[i]) ++j;
            if (isABehind) ++i;
        }
        return count;
    }

    void findPairs(Constraint constraint) {
        const bool isAboutRooms = constraint == Constraint::RoomOccupancy;
        for (int period = 0; period < PeriodCount; ++period) {
            const std::vector<int>& events = eventsIn_[static_cast<std::size_t>(period)];
            for (std::size_t i = 0; i < events.size(); ++i) {
                for (std::size_t j = i + 1; j < events.size(); ++j) {
                    const int room = placeOf(events[i]).room;
                    const bool isViolated =
                        isAboutRooms ? room >= 0 && room == placeOf(events[j]).room : problem_.shareStudents(events[i], events[j]);
                    if (!isViolated) continue;
                    const int shared = isAboutRooms ? 0 : countShared(events[i], events[j]);
                    // The first competition counts each student. The second competition counts each pair of events.
                    Violation& violation = add(constraint, isAboutRooms || problem_.instance().hasSecondRules ? 1 : shared);
                    violation.event = events[i];
                    violation.otherEvent = events[j];
                    violation.period = period;
                    violation.room = isAboutRooms ? room : -1;
                    violation.found = shared;
                }
            }
        }
    }

    void findUnsuitableRooms() {
        for (int event = 0; event < problem_.eventCount(); ++event) {
            const Place& place = placeOf(event);
            if (!place.isPlaced() || (place.room >= 0 && problem_.isSuitable(event, place.room))) continue;
            Violation& violation = add(Constraint::RoomSuitability, 1);
            violation.event = event;
            violation.room = place.room;
            violation.period = place.period;
        }
    }

    void findClosedPeriods() {
        for (int event = 0; event < problem_.eventCount(); ++event) {
            const int period = placeOf(event).period;
            if (period < 0 || problem_.isOpen(event, period)) continue;
            Violation& violation = add(Constraint::Availability, 1);
            violation.event = event;
            violation.period = period;
        }
    }

    void findPrecedences() {
        for (int event = 0; event < problem_.eventCount(); ++event) {
            for (const int later : problem_.laterThan(event)) {
                if (!placeOf(event).isPlaced() || !placeOf(later).isPlaced() || placeOf(event).period < placeOf(later).period) continue;
                Violation& violation = add(Constraint::Precedence, 1);
                violation.event = event;
                violation.otherEvent = later;
            }
        }
    }

    void addForStudent(Constraint constraint, int amount, int student, int period, int found) {
        Violation& violation = add(constraint, amount);
        violation.student = student;
        violation.period = period;
        violation.found = found;
    }

    void examineDay(Constraint constraint, int student, int day, unsigned events) {
        const int first = day * PeriodsPerDay;
        if (constraint == Constraint::LastPeriod && (events >> (PeriodsPerDay - 1) & 1U) != 0) {
            addForStudent(constraint, 1, student, first + PeriodsPerDay - 1, 1);
        }
        if (constraint == Constraint::SingleEvent && std::popcount(events) == 1) {
            addForStudent(constraint, 1, student, first + std::countr_zero(events), 1);
        }
        if (constraint != Constraint::ConsecutiveEvents) return;
        for (int start = 0; start < PeriodsPerDay;) {
            const int length = std::countr_one(events >> start);
            if (length > 2) addForStudent(constraint, length - 2, student, first + start, length);
            start += length + 1;
        }
    }

    const Problem& problem_;
    const Solution& solution_;
    std::vector<std::vector<int>> eventsIn_;    ///< indexed by period
    std::vector<Violation> found_;
};

}    // namespace

const char* nameOf(Constraint constraint) {
    constexpr std::array<const char*, ConstraintCount> Names{"Unplaced",        "StudentClashes",    "RoomOccupancy",
                                                             "RoomSuitability", "Availability",      "Precedence",
                                                             "LastPeriod",      "ConsecutiveEvents", "SingleEvent"};
    return Names[static_cast<std::size_t>(constraint)];
}

std::int64_t Score::violations() const {
    std::int64_t sum = 0;
    for (const Constraint constraint : AllConstraints) sum += isHard(constraint) ? (*this)[constraint] : 0;
    return sum - distance();
}

std::int64_t Score::cost() const {
    std::int64_t sum = 0;
    for (const Constraint constraint : AllConstraints) sum += isHard(constraint) ? 0 : (*this)[constraint];
    return sum;
}

int costOfDay(unsigned day) {
    int cost = std::popcount(day) == 1 ? 1 : 0;
    cost += (day >> (PeriodsPerDay - 1) & 1U) != 0 ? 1 : 0;
    // A run of k events has k - 2 places at which three events follow each other.
    return cost + std::popcount(day & (day >> 1) & (day >> 2));
}

std::vector<Violation> findViolations(const Problem& problem, const Solution& solution) {
    Examination examination(problem, solution);
    examination.findHard();
    examination.findSoft();
    return examination.takeFound();
}

std::vector<Violation> findHardViolations(const Problem& problem, const Solution& solution) {
    Examination examination(problem, solution);
    examination.findHard();
    return examination.takeFound();
}

Score scoreOf(const std::vector<Violation>& violations) {
    Score score;
    for (const Violation& violation : violations) score.amounts[static_cast<std::size_t>(violation.constraint)] += violation.amount;
    return score;
}

Score scoreOf(const Problem& problem, const Solution& solution) { return scoreOf(findViolations(problem, solution)); }

std::string describe(const Problem& problem, const Violation& violation) {
    const int event = violation.event;
    switch (violation.constraint) {
        case Constraint::Unplaced: return fmt::format("event {} with {} students is left out", event, problem.studentsOf(event).size());
        case Constraint::StudentClashes:
            return fmt::format("events {} and {} share {} students and are both on {}", event, violation.otherEvent, violation.found,
                               when(violation.period));
        case Constraint::RoomOccupancy:
            return fmt::format("events {} and {} are both in room {} on {}", event, violation.otherEvent, violation.room,
                               when(violation.period));
        case Constraint::RoomSuitability:
            if (violation.room < 0) return fmt::format("event {} has no room on {}", event, when(violation.period));
            return fmt::format("event {} is in room {} on {}, which is too small or lacks a feature", event, violation.room,
                               when(violation.period));
        case Constraint::Availability: return fmt::format("event {} is on {}, which is closed to it", event, when(violation.period));
        case Constraint::Precedence: return fmt::format("event {} is not before event {}", event, violation.otherEvent);
        case Constraint::LastPeriod:
            return fmt::format("student {} has an event in the last period of day {}: costs 1", violation.student, dayOf(violation.period));
        case Constraint::ConsecutiveEvents:
            return fmt::format("student {} has {} events in a row from {}: costs {}", violation.student, violation.found,
                               when(violation.period), violation.amount);
        case Constraint::SingleEvent:
            return fmt::format("student {} has a single event on day {}: costs 1", violation.student, dayOf(violation.period));
    }
    return {};
}

}    // namespace timetabling::enrolment
