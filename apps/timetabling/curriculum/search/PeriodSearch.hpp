#pragma once

#include <cstdint>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>

namespace timetabling::curriculum {

/// Looks for periods for all lectures, so that no two of a course or of courses in conflict meet and no period has more lectures than there
/// are rooms; which rooms suit is not looked at. Complete: what it does not find does not exist, unless it gives up.
///
/// Backtracking (DSATUR: D. Brelaz, New methods to color the vertices of a graph, 1979, for courses with several lectures): the course with
/// the fewest periods to spare gets a period or is kept out of it, and out of all periods that are like it now.
class PeriodSearch {
public:
    enum class Outcome { Found, Impossible, GaveUp };

    explicit PeriodSearch(const Problem& problem);

    /// Gives up after so many decisions.
    Outcome run(std::int64_t mostDecisions);

private:
    std::size_t cellOf(int course, int period) const {
        return static_cast<std::size_t>(course) * static_cast<std::size_t>(problem_.periodCount()) + static_cast<std::size_t>(period);
    }
    bool isOpen(int course, int period) const { return blocks_[cellOf(course, period)] == 0; }

    Outcome decide();
    int tightestCourse() const;
    int spareOf(int course) const { return openCounts_[static_cast<std::size_t>(course)] - restCounts_[static_cast<std::size_t>(course)]; }
    std::vector<int> periodsLike(int course, int period) const;
    bool areAlike(int period, int other) const;
    void place(int course, int period, int sign);
    void block(int course, int period, int sign);

    const Problem& problem_;
    std::int64_t decisionsLeft_ = 0;
    std::vector<int> blocks_;           ///< by course and period: how much is in the way of the course there
    std::vector<int> openCounts_;       ///< by course: periods without anything in its way
    std::vector<int> restCounts_;       ///< by course: lectures without a period
    std::vector<int> lectureCounts_;    ///< by period
};

}    // namespace timetabling::curriculum
