#pragma once

#include <cstdint>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/search/Budget.hpp>

namespace timetabling::curriculum {

/// Looks for periods for all lectures. Two lectures of one course or of courses in conflict must not meet.
/// No period may have more lectures than rooms. The suitability of rooms does not matter here.
/// The search is complete: a failed search proves that no solution exists, unless the search gives up.
/// A solution may leave out some lectures, as many as run() allows.
///
/// Backtracking (DSATUR: D. Brelaz, New methods to color the vertices of a graph, 1979, for courses with several lectures):
/// the course with the fewest periods to spare gets a period.
/// On the other branch, the course is kept out of this period and of all equivalent periods.
class PeriodSearch {
public:
    enum class Outcome { Found, Impossible, GaveUp };

    explicit PeriodSearch(const Problem& problem);

    /// Runs the search. Gives up after mostDecisions decisions, or when stop() says so. At most mostLeftOut lectures may be left out.
    Outcome run(std::int64_t mostDecisions, int mostLeftOut = 0, const StopHook& stop = {});

    /// The courses in each period of the solution that the last search has found.
    const std::vector<std::vector<int>>& coursesIn() const { return coursesIn_; }

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
    void leaveOut(int course, int count);
    int leastLeftOut() const;

    const Problem& problem_;
    std::int64_t decisionsLeft_ = 0;
    int mayLeaveOut_ = 0;    ///< number of lectures that may still be left out
    const StopHook* stop_ = nullptr;
    std::vector<int> blocks_;                    ///< indexed by course and period: number of obstacles for the course there
    std::vector<int> openCounts_;                ///< indexed by course: number of periods without obstacles
    std::vector<int> restCounts_;                ///< indexed by course: number of lectures without a period
    std::vector<int> lectureCounts_;             ///< indexed by period; a closed room counts as a lecture
    std::vector<std::vector<int>> coursesIn_;    ///< indexed by period
};

}    // namespace timetabling::curriculum
