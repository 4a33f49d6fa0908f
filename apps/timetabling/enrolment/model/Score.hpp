#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/enrolment/model/Solution.hpp>

/// Exact scores by the rules of ITC-2002 and of ITC-2007 track 2. The instance selects the rules.

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

/// Whether a timetable that breaks the constraint is infeasible. A broken soft constraint only costs.
constexpr bool isHard(Constraint constraint) { return constraint <= Constraint::Precedence; }

/// The name of the constraint, such as "StudentClashes".
const char* nameOf(Constraint constraint);

/// The score of a timetable by constraint: number of violations for a hard constraint, cost for a soft one.
struct Score {
    std::array<std::int64_t, ConstraintCount> amounts{};

    std::int64_t operator[](Constraint constraint) const { return amounts[static_cast<std::size_t>(constraint)]; }
    /// Distance to feasibility: the students of all left-out events in the second competition, else the number of left-out events.
    std::int64_t distance() const { return (*this)[Constraint::Unplaced]; }
    /// Number of violations of the other hard constraints. A timetable with such a violation is useless.
    std::int64_t violations() const;
    std::int64_t cost() const;
    bool isFeasible() const { return distance() == 0 && violations() == 0; }

    bool operator==(const Score&) const = default;
};

/// One violation of a constraint. Numbers that do not apply are -1.
struct Violation {
    Constraint constraint{};
    std::int64_t amount = 0;
    int event = -1;
    int otherEvent = -1;
    int student = -1;
    int room = -1;
    int period = -1;    ///< for a soft constraint, the first period of the violation
    int found = 0;      ///< number of students that two events share, or number of consecutive events of a student
};

/// The cost of a student's day: one for an event in the last period, k - 2 for k > 2 events in a row, one for a single event.
/// day: bit p is 1 when the student has an event in period p of the day.
int costOfDay(unsigned day);

/// Returns all violations in the timetable, in the order of the constraints. Places must be in range.
std::vector<Violation> findViolations(const Problem& problem, const Solution& solution);
std::vector<Violation> findHardViolations(const Problem& problem, const Solution& solution);

/// The sum of the violations.
Score scoreOf(const std::vector<Violation>& violations);
Score scoreOf(const Problem& problem, const Solution& solution);

/// Describes the violation in words. Numbers count from 0, as in the file: "student 12 has a single event on day 3: costs 1".
std::string describe(const Problem& problem, const Violation& violation);

}    // namespace timetabling::enrolment
