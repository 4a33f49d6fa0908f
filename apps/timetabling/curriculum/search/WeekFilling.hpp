#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/search/Budget.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>

namespace timetabling::curriculum {

/// Looks for periods for all lectures where the weeks of curricula or teachers are full, or nearly so.
///
/// A group is a curriculum or a teacher whose lectures need all periods but a few. Each decision puts a lecture into a period; what follows
/// from it is deduced at once: a course with as many open periods as lectures takes them all, and a period of a full week with one
/// possible course takes this course. The search backtracks, and begins anew after a number of failures that grows (M. Luby and others,
/// Optimal speedup of Las Vegas algorithms, 1993). Groups and courses that failed often come first (F. Boussemart and others, Boosting
/// systematic search by weighting constraints, 2004). The suitability of rooms does not matter here.
/// Ownership: refers to the problem.
class WeekFilling {
public:
    enum class Outcome { Found, Impossible, GaveUp };

    WeekFilling(const Problem& problem, std::uint64_t seed);

    /// Whether there is a group, so that this search has something that other searches do not see.
    bool hasGroups() const { return !groups_.empty(); }
    /// Runs the search. A deduction counts as a move.
    Outcome run(const Budget& budget, const StopHook& stop);
    /// The number of moves so far.
    std::int64_t moves() const { return moves_; }
    /// The courses in each period of the solution that was found.
    std::vector<std::vector<int>> coursesIn() const;

private:
    struct Group {
        std::vector<int> courses;
        int spare = 0;    ///< number of periods that may stay without a lecture of the group
        int empty = 0;    ///< number of periods that no course of the group can take any more
        double weight = 1;
    };
    struct Step {
        int course = 0;
        int period = 0;
        bool isPlaced = false;    ///< else the period was closed to the course
    };
    struct Decision {
        std::size_t steps = 0;    ///< number of steps before the decision
        int course = 0;
        int period = 0;
    };
    /// A course that takes all of its open periods, or a period of a group with one course left.
    struct Forced {
        int course = -1;
        int group = -1;
        int period = -1;
    };

    std::size_t cellOf(int course, int period) const {
        return static_cast<std::size_t>(course) * periodCount_ + static_cast<std::size_t>(period);
    }
    std::size_t groupCell(int group, int period) const {
        return static_cast<std::size_t>(group) * periodCount_ + static_cast<std::size_t>(period);
    }
    void addGroup(const std::vector<int>& courses);
    bool begin();
    bool place(int course, int period);
    bool close(int course, int period);
    bool propagate();
    void undo(std::size_t steps);
    bool decide(Decision& decision);
    Outcome searchOnce(std::int64_t mostFailures, BudgetMeter& meter);

    const Problem& problem_;
    Random random_;
    std::size_t periodCount_;
    std::vector<Group> groups_;
    std::vector<std::vector<int>> groupsOf_;    ///< indexed by course
    std::vector<double> courseWeights_;
    std::vector<bool> isOpen_;          ///< indexed by course and period: the course may still take the period
    std::vector<bool> isIn_;            ///< indexed by course and period
    std::vector<int> openCounts_;       ///< indexed by course
    std::vector<int> restCounts_;       ///< indexed by course: lectures without a period
    std::vector<int> lectureCounts_;    ///< indexed by period
    std::vector<int> candidates_;       ///< indexed by group and period: courses that may still take the period
    std::vector<bool> isCovered_;       ///< indexed by group and period
    std::vector<Step> steps_;
    std::vector<Forced> forced_;
    std::int64_t moves_ = 0;
};

}    // namespace timetabling::curriculum
