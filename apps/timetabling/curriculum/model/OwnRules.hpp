#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/model/IndexLists.hpp>

namespace timetabling::curriculum {

/// The rules that no published formulation has: days of teachers, the order of lectures, and the same time in each week.
/// A day is a set of bits, as in DayPattern.hpp. The places of a course are a row with a 1 for each of its periods.
///
/// Ownership: refers to the problem.
class OwnRules {
public:
    explicit OwnRules(const Problem& problem);

    /// The limits of the teacher. Without a row in the table, there are none.
    const TeacherLimits& limitsOf(int teacher) const { return limitsOf_[static_cast<std::size_t>(teacher)]; }

    /// Number of periods without a lecture between the first and the last lecture of a day, as for curricula.
    static int gaps(std::uint64_t day);
    /// Number of lectures beyond the limit of the teacher in a row, over all rows of the day.
    int lecturesInARowTooMany(int teacher, std::uint64_t day) const;
    /// Number of lectures of a day beyond the limit of the teacher.
    int lecturesTooMany(int teacher, int lectures) const;
    /// Whether the day leaves the teacher no free period for lunch.
    bool missesLunch(std::uint64_t day) const { return lunch_ != 0 && (day & lunch_) == lunch_; }

    /// The orders that concern the course: indices into Instance::orders.
    std::span<const int> ordersOf(int course) const { return ordersOf_[course]; }
    /// Number of pairs of lectures, one of each course, in which the later one is not after the earlier one.
    static int pairsInWrongOrder(std::span<const std::uint8_t> before, std::span<const std::uint8_t> after);
    /// Number of lectures of a course without a lecture of the course at the same time in each other week.
    int lecturesAtOtherTimes(std::span<const std::uint8_t> course) const;
    /// The other courses that students of the course attend, and how many.
    struct Shared {
        int course = 0;
        int count = 0;
    };
    const std::vector<Shared>& sharedBy(int course) const { return sharedBy_[static_cast<std::size_t>(course)]; }
    int weekCount() const { return weekCount_; }

private:
    const Problem& problem_;
    std::vector<TeacherLimits> limitsOf_;    ///< indexed by teacher
    std::uint64_t lunch_ = 0;                ///< the periods of a day that are for lunch
    IndexLists ordersOf_;
    IndexLists sameTime_;    ///< indexed by period: the periods at the same time of other weeks; empty lists in a single week
    std::vector<std::vector<Shared>> sharedBy_;    ///< indexed by course
    int weekCount_ = 1;
};

}    // namespace timetabling::curriculum
