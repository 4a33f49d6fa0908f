#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace timetabling::curriculum {

/// The five published formulations of curriculum-based timetabling.
/// A formulation says which soft constraints count, and with which weights. UD2 is the formulation of the competition.
enum class Formulation { UD1, UD2, UD3, UD4, UD5 };

inline constexpr std::array<Formulation, 5> AllFormulations{Formulation::UD1, Formulation::UD2, Formulation::UD3, Formulation::UD4,
                                                            Formulation::UD5};

/// The cost of one unit of each soft constraint. 0: the constraint does not count.
struct Weights {
    int roomCapacity = 1;
    int minWorkingDays = 0;
    int compactness = 0;    ///< for isolated lectures
    int roomStability = 0;
    int windows = 0;
    int dailyLoad = 0;
    int travelDistance = 0;
    int doubleLectures = 0;
    int roomSuitability = 0;
    int teacherGaps = 0;
    int teacherDays = 0;
    int teacherLoad = 0;
    int teacherRow = 0;
    int teacherLunch = 0;
    int lectureOrder = 0;
    int weeklyTime = 0;
    int studentClashes = 0;
    bool isRoomSuitabilityHard = false;

    bool operator==(const Weights&) const = default;

    /// Whether a constraint counts that depends on more of a day than its isolated lectures.
    bool havePatterns() const { return windows > 0 || dailyLoad > 0 || travelDistance > 0 || doubleLectures > 0; }
    /// Whether a constraint counts that no published formulation has.
    bool haveOwnRules() const {
        return teacherGaps > 0 || teacherDays > 0 || teacherLoad > 0 || teacherRow > 0 || teacherLunch > 0 || lectureOrder > 0 ||
               weeklyTime > 0 || studentClashes > 0;
    }
};

Weights weightsOf(Formulation formulation);

/// The name of the formulation, from "UD1" to "UD5".
const char* nameOf(Formulation formulation);
std::optional<Formulation> formulationOf(std::string_view name);

}    // namespace timetabling::curriculum
