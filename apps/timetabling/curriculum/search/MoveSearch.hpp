#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/model/Slots.hpp>
#include <ferry/apps/timetabling/search/Budget.hpp>
#include <ferry/apps/timetabling/search/LeastMoves.hpp>

namespace timetabling::curriculum {

/// Looks for a timetable near the published one: at most a given number of lectures are not in their published places.
///
/// A lecture that has to move is tried in all periods. Lectures that are in its way there move too, until too many have moved.
/// The search is complete: a failed search proves that fewer moves are impossible, unless the search gives up.
/// The suitability of rooms is left out for lectures that move, so where it is hard, the proof holds and a success may be none.
/// Ownership: refers to the problem, which needs a published timetable.
class MoveSearch {
public:
    enum class Outcome { Found, Impossible, GaveUp };

    explicit MoveSearch(const Problem& problem);

    /// Whether the search can handle the problem: no pins, and no course has fewer lectures than were published.
    bool isPossible() const { return isPossible_; }
    /// Number of lectures whose published places are gone or closed. Each timetable moves at least as many.
    int forcedMoves() const { return forced_; }

    /// Runs the search. Gives up after 'mostDecisions' decisions, or when stop() says so.
    Outcome run(int mostMoves, std::int64_t mostDecisions, const StopHook& stop);
    /// The timetable that the last search has found. Nothing when the lectures do not fit into suitable rooms.
    std::optional<Slots> slots() const;

private:
    /// A lecture in its published place.
    struct Kept {
        int course = 0;
        int room = 0;
        bool isFixed = false;    ///< a branch of the search has decided that the lecture stays
    };
    /// A period for a lecture that has to move.
    struct Option {
        int period = 0;
        int cost = 0;           ///< number of lectures that have to leave the period
        bool isFull = false;    ///< a lecture that is not in conflict has to leave for its room
    };
    /// Two published lectures that cannot both stay.
    struct Rivals {
        int period = 0;
        int first = 0;
        int second = 0;
        bool areInConflict = false;    ///< false: they are in one room
    };

    std::size_t cellOf(int course, int period) const {
        return static_cast<std::size_t>(course) * static_cast<std::size_t>(problem_.periodCount()) + static_cast<std::size_t>(period);
    }
    std::vector<Kept>& keptIn(int period) { return kept_[static_cast<std::size_t>(period)]; }
    const std::vector<Kept>& keptIn(int period) const { return kept_[static_cast<std::size_t>(period)]; }
    Kept* find(int course, int period);

    void findRivals();
    Outcome decide();
    std::vector<Rivals> presentRivals();
    int leastEvictions(const std::vector<Rivals>& rivals) const;
    Rivals hardestOf(const std::vector<Rivals>& rivals) const;
    Outcome decideRivals(const Rivals& rivals);
    Outcome decideLecture(int course, const std::vector<Option>& options);
    Outcome decideFullPeriod(int course, int period);
    std::optional<Option> optionFor(int course, int period) const;
    std::vector<Option> optionsFor(int course) const;
    bool canAllBePlaced() const;
    std::vector<int> evictRivalsOf(int course, int period);
    void evict(int course, int period, bool isBlocked);
    void restore(int course, int period, const Kept& kept, bool isBlocked);
    int slack() const { return mostMoves_ - moves_; }

    const Problem& problem_;
    bool isPossible_ = true;
    int forced_ = 0;
    int moves_ = 0;
    int mostMoves_ = 0;
    std::int64_t decisionsLeft_ = 0;
    const StopHook* stop_ = nullptr;
    std::vector<std::vector<Kept>> kept_;     ///< indexed by period
    std::vector<std::vector<int>> placed_;    ///< indexed by period: courses of moved lectures
    std::vector<int> rest_;                   ///< indexed by course: lectures without a place
    std::vector<std::uint16_t> blocks_;       ///< indexed by course and period
    std::vector<Rivals> rivals_;
};

/// Raises the bound from the number of forced moves on, until a timetable within the bound is found or the budget ends.
/// A move of the budget is a decision of the search.
LeastMoves findLeastMoves(const Problem& problem, const Budget& budget, const StopHook& stop);

}    // namespace timetabling::curriculum
