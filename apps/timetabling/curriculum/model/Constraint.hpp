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
    RoomRequirement,    ///< RoomSuitability as a hard constraint
    RoomCapacity,
    MinWorkingDays,
    CurriculumCompactness,
    RoomStability,
    Windows,
    DailyLoad,
    TravelDistance,
    DoubleLectures,
    RoomSuitability,
    TeacherGaps,
    TeacherDays,
    TeacherLoad,
    TeacherRow,
    TeacherLunch,
    LectureOrder,
    WeeklyTime,
    StudentClashes,
};

inline constexpr std::size_t ConstraintCount = 22;

/// Whether a timetable that breaks the constraint is useless. A broken soft constraint only costs.
constexpr bool isHard(Constraint constraint) { return constraint <= Constraint::RoomRequirement; }

/// The cost of one unit of a soft constraint. For a hard constraint the result is 1, or 0 when the constraint does not count.
int weightOf(Constraint constraint, const Weights& weights);

/// Returns the constraints that count in the formulation of the problem, hard ones first.
std::vector<Constraint> constraintsOf(const Problem& problem);

/// The name of the constraint, such as "RoomCapacity".
const char* nameOf(Constraint constraint);

}    // namespace timetabling::curriculum
