#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/model/Slots.hpp>
#include <ferry/apps/timetabling/search/Budget.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>

namespace timetabling::curriculum {

/// Looks for a timetable without hard violations that leaves out as few lectures as possible. Costs do not count.
///
/// A tabu search (after I. Bloechliger, N. Zufferey, A graph coloring heuristic using partial solutions, 2008): a lecture that is left out
/// goes into a period, and the lectures in its way are left out. Such a lecture may not return to its period for a while.
/// Pinned lectures stay in their places.
/// Ownership: refers to the problem.
class MostPlaced {
public:
    /// Errors: std::invalid_argument when the rooms of pinned lectures do not suit them.
    MostPlaced(const Problem& problem, std::uint64_t seed);

    /// Runs the search until 'least' lectures are left out, or until the budget ends. An iteration counts as a hundred moves.
    /// Among timetables that leave out the same number, the one with the least burden is the best: the days of teaching that courses miss,
    /// then the students of these courses.
    /// Returns the best timetable. A lecture that is left out has the slot -1; these are the last lectures of their courses.
    Slots run(int least, const Budget& budget, const StopHook& stop);

private:
    std::size_t cellOf(int course, int period) const {
        return static_cast<std::size_t>(course) * static_cast<std::size_t>(problem_.periodCount()) + static_cast<std::size_t>(period);
    }
    std::vector<int>& coursesIn(int period) { return coursesIn_[static_cast<std::size_t>(period)]; }
    const std::vector<int>& coursesIn(int period) const { return coursesIn_[static_cast<std::size_t>(period)]; }

    void placeFree();
    void iterate();
    bool shake();
    std::optional<std::vector<int>> evictionsFor(int course, int period);
    std::int64_t burdenOf(int course) const;
    void put(int course, int period);
    void take(int course, int period);

    const Problem& problem_;
    Random random_;
    std::vector<std::vector<int>> coursesIn_;    ///< indexed by period
    std::vector<std::uint16_t> clashes_;         ///< indexed by course and period: number of conflicting courses there
    std::vector<bool> isIn_;                     ///< indexed by course and period
    std::vector<int> pinnedRoom_;                ///< indexed by course and period: the room of the pin, or a mark
    std::vector<std::int64_t> tabuUntil_;        ///< indexed by course and period
    std::vector<int> leftOut_;                   ///< the courses of the lectures that are left out
    std::vector<int> missing_;                   ///< indexed by course: number of lectures that are left out
    std::int64_t burden_ = 0;
    std::int64_t iteration_ = 0;
};

/// Returns the slots of the courses in each period. Nothing when the courses of a period have no rooms that suit them all.
std::optional<Slots> slotsOfPeriods(const Problem& problem, const std::vector<std::vector<int>>& coursesIn);

}    // namespace timetabling::curriculum
