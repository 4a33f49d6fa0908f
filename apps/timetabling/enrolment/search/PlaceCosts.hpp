#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/enrolment/model/Solution.hpp>

namespace timetabling::enrolment {

/// The violations and the cost that a change of one or two events adds to a timetable.
struct PlaceChange {
    std::int64_t violations = 0;    ///< of hard constraints; an event that is left out counts with its penalty
    std::int64_t cost = 0;
};

/// Computes what a timetable becomes when an event goes to another place, or two events change places.
///
/// The timetable may break any rule. A change costs as much time as the events have students, and not a whole evaluation.
/// Ownership: refers to the problem, which must not have pins.
class PlaceCosts {
public:
    /// Each event has a period and a room, or is left out.
    PlaceCosts(const Problem& problem, Solution solution);

    const Solution& solution() const { return solution_; }
    /// The events in the place.
    std::vector<int> eventsAt(const Place& place) const;
    /// The effect when the event goes to the place. 'other' goes to the place where the event is now; -1: no event does.
    PlaceChange changeOf(int event, const Place& to, int other = -1);

private:
    std::uint16_t& countOf(int student, int period) {
        return counts_[static_cast<std::size_t>(student) * PeriodCount + static_cast<std::size_t>(period)];
    }
    void put(int event, const Place& place);
    std::int64_t violationsOf(std::span<const int> events) const;
    std::int64_t pairViolations(int event, int other) const;
    std::int64_t costOf(std::span<const int> students) const;

    const Problem& problem_;
    Solution solution_;
    std::vector<std::uint16_t> counts_;    ///< indexed by student and period: number of events of the student
};

}    // namespace timetabling::enrolment
