#pragma once

#include <cstddef>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>

namespace timetabling::curriculum {

enum class Constraint {
    Lectures,
    Conflicts,
    Availability,
    RoomOccupancy,
    RoomRequirement,    ///< RoomSuitability where it is hard
    RoomCapacity,
    MinWorkingDays,
    CurriculumCompactness,
    RoomStability,
    Windows,
    DailyLoad,
    TravelDistance,
    DoubleLectures,
    RoomSuitability,
};

inline constexpr std::size_t ConstraintCount = 14;

/// Whether a timetable that breaks the constraint is of no use; otherwise breaking it costs.
constexpr bool isHard(Constraint constraint) { return constraint <= Constraint::RoomRequirement; }

/// What one unit of a soft constraint costs; for a hard one 1 or, when it does not count, 0.
int weightOf(Constraint constraint, const Weights& weights);

/// The constraints that count in the formulation of the problem, hard ones first.
std::vector<Constraint> constraintsOf(const Problem& problem);

/// The name of the constraint, such as "RoomCapacity".
const char* nameOf(Constraint constraint);

}    // namespace timetabling::curriculum
