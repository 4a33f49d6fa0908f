#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Constraint.hpp>
#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/curriculum/model/Solution.hpp>

/// Exact scores by the rules of ITC-2007 track 3 (formulation UD2) and of the other formulations.

namespace timetabling::curriculum {

/// The score of a timetable by constraint: number of violations for a hard constraint, weighted cost for a soft one.
struct Score {
    std::array<std::int64_t, ConstraintCount> amounts{};

    std::int64_t operator[](Constraint constraint) const { return amounts[static_cast<std::size_t>(constraint)]; }
    std::int64_t violations() const;
    std::int64_t cost() const;
    bool isFeasible() const { return violations() == 0; }

    bool operator==(const Score&) const = default;
};

/// One violation of a constraint. Numbers that do not apply are -1.
struct Violation {
    Constraint constraint{};
    std::int64_t amount = 0;    ///< number of violations for a hard constraint, weighted cost for a soft one
    int course = -1;
    int otherCourse = -1;
    int curriculum = -1;
    int room = -1;
    int period = -1;
    int day = -1;     ///< the day of the violation, if it has one
    int found = 0;    ///< the number that the constraint counts: lectures, missing seats, days, rooms, empty periods, changes of building
    int teacher = -1;
};

/// Returns all violations in the timetable, in the order of the constraints. Every index in the solution must be in range.
std::vector<Violation> findViolations(const Problem& problem, const Solution& solution);

/// The sum of the violations.
Score scoreOf(const std::vector<Violation>& violations);
Score scoreOf(const Problem& problem, const Solution& solution);

/// Describes the violation in words, with the names of the instance: "curriculum q000 is isolated on day 2 period 1: costs 2".
std::string describe(const Problem& problem, const Violation& violation);

}    // namespace timetabling::curriculum
