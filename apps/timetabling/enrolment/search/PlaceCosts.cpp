#include <ferry/apps/timetabling/enrolment/search/PlaceCosts.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

#include <ferry/apps/timetabling/enrolment/model/Score.hpp>

namespace timetabling::enrolment {

PlaceCosts::PlaceCosts(const Problem& problem, Solution solution)
    : problem_(problem),
      solution_(solution.size()),
      counts_(static_cast<std::size_t>(problem.studentCount()) * PeriodCount, 0) {
    for (std::size_t event = 0; event < solution.size(); ++event) put(static_cast<int>(event), solution[event]);
}

std::vector<int> PlaceCosts::eventsAt(const Place& place) const {
    std::vector<int> events;
    for (std::size_t event = 0; event < solution_.size(); ++event) {
        if (solution_[event] == place) events.push_back(static_cast<int>(event));
    }
    return events;
}

PlaceChange PlaceCosts::changeOf(int event, const Place& to, int other) {
    std::vector<int> events{event};
    if (other >= 0) events.push_back(other);
    const std::span<const int> ofEvent = problem_.studentsOf(event);
    std::vector<int> students(ofEvent.begin(), ofEvent.end());
    if (other >= 0) {
        const std::span<const int> ofOther = problem_.studentsOf(other);
        std::vector<int> all;
        std::set_union(ofEvent.begin(), ofEvent.end(), ofOther.begin(), ofOther.end(), std::back_inserter(all));
        students = std::move(all);
    }
    const Place from = solution_[static_cast<std::size_t>(event)];
    const Place ofOther = other >= 0 ? solution_[static_cast<std::size_t>(other)] : Place{};
    PlaceChange change{-violationsOf(events), -costOf(students)};
    put(event, to);
    if (other >= 0) put(other, from);
    change.violations += violationsOf(events);
    change.cost += costOf(students);
    put(event, from);
    if (other >= 0) put(other, ofOther);
    return change;
}

void PlaceCosts::put(int event, const Place& place) {
    Place& present = solution_[static_cast<std::size_t>(event)];
    for (const int student : problem_.studentsOf(event)) {
        if (present.isPlaced()) --countOf(student, present.period);
        if (place.isPlaced()) ++countOf(student, place.period);
    }
    present = place;
}

/// Counts the violations in which at least one of the events takes part.
std::int64_t PlaceCosts::violationsOf(std::span<const int> events) const {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const int event = events[i];
        const Place& place = solution_[static_cast<std::size_t>(event)];
        if (!place.isPlaced()) {
            count += problem_.absencePenalty(event);
            continue;
        }
        if (!problem_.isSuitable(event, place.room)) ++count;
        if (!problem_.isOpen(event, place.period)) ++count;
        for (int other = 0; other < problem_.eventCount(); ++other) {
            const bool isCounted = other == event || std::find(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(i), other) !=
                                                         events.begin() + static_cast<std::ptrdiff_t>(i);
            if (!isCounted) count += pairViolations(event, other);
        }
    }
    return count;
}

std::int64_t PlaceCosts::pairViolations(int event, int other) const {
    const Place& a = solution_[static_cast<std::size_t>(event)];
    const Place& b = solution_[static_cast<std::size_t>(other)];
    if (!b.isPlaced()) return 0;
    std::int64_t count = 0;
    if (a.period == b.period) {
        if (a.room == b.room) ++count;
        if (problem_.shareStudents(event, other)) {
            // The first competition counts each student, and the second one each pair of events.
            const std::span<const int> first = problem_.studentsOf(event);
            const std::span<const int> second = problem_.studentsOf(other);
            std::vector<int> both;
            if (!problem_.instance().hasSecondRules)
                std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(both));
            count += problem_.instance().hasSecondRules ? 1 : static_cast<std::int64_t>(both.size());
        }
    }
    // A precedence that the instance states twice counts twice.
    const std::span<const int> later = problem_.laterThan(event);
    const std::span<const int> earlier = problem_.earlierThan(event);
    if (a.period >= b.period) count += std::count(later.begin(), later.end(), other);
    if (b.period >= a.period) count += std::count(earlier.begin(), earlier.end(), other);
    return count;
}

std::int64_t PlaceCosts::costOf(std::span<const int> students) const {
    std::int64_t cost = 0;
    for (const int student : students) {
        const auto first = static_cast<std::size_t>(student) * PeriodCount;
        for (std::size_t day = 0; day < DayCount; ++day) {
            unsigned bits = 0;
            for (std::size_t period = 0; period < PeriodsPerDay; ++period)
                bits |= counts_[first + day * PeriodsPerDay + period] > 0 ? 1U << period : 0U;
            cost += costOfDay(bits);
        }
    }
    return cost;
}

}    // namespace timetabling::enrolment
