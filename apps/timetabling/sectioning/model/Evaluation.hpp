#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/sectioning/model/Problem.hpp>
#include <ferry/apps/timetabling/sectioning/model/Solution.hpp>

namespace timetabling::sectioning {

/// The hard constraints besides the distributions that are required.
enum class HardConstraint {
    ClassTime,        ///< a class has one of its times
    ClassRoom,        ///< a class that needs a room has one of its rooms
    RoomOverlap,      ///< a room holds one class at a time; pairs of classes count
    RoomClosed,       ///< a class is in its room while the room is open
    StudentCourse,    ///< a student has the classes of a course, and of no other course
    ClassLimit,       ///< a class has no more students than its limit; the students above it count
};

inline constexpr int HardConstraintCount = 6;
const char* nameOf(HardConstraint constraint);

/// The violations of hard constraints, and the four sums of the cost without their weights.
struct Score {
    std::array<std::int64_t, HardConstraintCount> hard{};
    std::array<std::int64_t, DistributionTypeCount> required{};    ///< violations of required distributions, indexed by type
    std::int64_t time = 0;                                         ///< penalties of the times
    std::int64_t room = 0;                                         ///< penalties of the rooms
    std::int64_t distribution = 0;                                 ///< penalties of distributions that are not required
    std::int64_t student = 0;                                      ///< pairs of classes that a student cannot attend both

    std::int64_t violations() const;
    bool isFeasible() const { return violations() == 0; }
    std::int64_t cost(const Weights& weights) const;
    std::int64_t& operator[](HardConstraint constraint) { return hard[static_cast<std::size_t>(constraint)]; }
    std::int64_t operator[](HardConstraint constraint) const { return hard[static_cast<std::size_t>(constraint)]; }

    bool operator==(const Score&) const = default;
};

Score scoreOf(const Problem& problem, const Solution& solution);

/// Returns the violations by constraint in one line, such as "2 RoomOverlap, 1 RequiredNotOverlap"; for a feasible timetable, nothing.
std::string violationsInWords(const Score& score);

/// One thing that is wrong with a timetable, or that costs.
struct Remark {
    std::string constraint;    ///< such as "RoomOverlap", "RequiredMaxDays", or "MaxDays" where it is not required
    bool isHard = false;
    std::int64_t amount = 0;    ///< violations, or the cost with its weight
    std::string subject;        ///< such as "class 12"
    std::string text;
};

/// Returns all remarks, with the same sums as the score: hard constraints come first.
std::vector<Remark> remarksOn(const Problem& problem, const Solution& solution);

}    // namespace timetabling::sectioning
