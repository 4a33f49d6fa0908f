#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/enrolment/model/Solution.hpp>

/// Exact scoring by the rules of ITC-2002 and of ITC-2007 track 2; the instance says which.

namespace timetabling::enrolment {

enum class Constraint {
    Unplaced,
    StudentClashes,
    RoomOccupancy,
    RoomSuitability,
    Availability,
    Precedence,
    LastPeriod,
    ConsecutiveEvents,
    SingleEvent,
};

inline constexpr std::size_t ConstraintCount = 9;
inline constexpr std::array<Constraint, ConstraintCount> AllConstraints{
    Constraint::Unplaced,        Constraint::StudentClashes,    Constraint::RoomOccupancy,
    Constraint::RoomSuitability, Constraint::Availability,      Constraint::Precedence,
    Constraint::LastPeriod,      Constraint::ConsecutiveEvents, Constraint::SingleEvent};

/// Whether a timetable that breaks the constraint is not feasible; otherwise breaking it costs.
constexpr bool isHard(Constraint constraint) { return constraint <= Constraint::Precedence; }

/// The name of the constraint, such as "StudentClashes".
const char* nameOf(Constraint constraint);

/// What a timetable breaks, by constraint.
struct Score {
    std::array<std::int64_t, ConstraintCount> amounts{};

    std::int64_t operator[](Constraint constraint) const { return amounts[static_cast<std::size_t>(constraint)]; }
    /// What events that are left out count: their students in the second competition, else 1 each.
    std::int64_t distance() const { return (*this)[Constraint::Unplaced]; }
    /// Violations of the other hard constraints; a timetable with any is of no use.
    std::int64_t violations() const;
    std::int64_t cost() const;
    bool isFeasible() const { return distance() == 0 && violations() == 0; }

    bool operator==(const Score&) const = default;
};

/// One thing that is wrong with a timetable. The numbers that do not apply are -1.
struct Violation {
    Constraint constraint{};
    std::int64_t amount = 0;
    int event = -1;
    int otherEvent = -1;
    int student = -1;
    int room = -1;
    int period = -1;    ///< for a soft constraint the first period that it is about
    int found = 0;      ///< students that two events share, events of a student in a row
};

/// What a student's day costs: one for the last period, k - 2 for k > 2 events in a row, one for a single event. Bit p of the day says
/// that the student has an event in period p of the day.
int costOfDay(unsigned day);

/// Everything that is wrong with the timetable, in the order of the constraints; places must be in range.
std::vector<Violation> findViolations(const Problem& problem, const Solution& solution);
std::vector<Violation> findHardViolations(const Problem& problem, const Solution& solution);

/// The sum of the violations.
Score scoreOf(const std::vector<Violation>& violations);
Score scoreOf(const Problem& problem, const Solution& solution);

/// The violation in words; numbers count from 0, as in the file: "student 12 has a single event on day 3: costs 1".
std::string describe(const Problem& problem, const Violation& violation);

}    // namespace timetabling::enrolment
