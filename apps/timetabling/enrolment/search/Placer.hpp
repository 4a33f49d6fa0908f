#pragma once

#include <cstdint>
#include <vector>

#include <ferry/apps/timetabling/enrolment/search/SearchState.hpp>
#include <ferry/apps/timetabling/search/Budget.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>

namespace timetabling::enrolment {

/// Finds places for the events that a timetable leaves out, at any cost.
///
/// First, each event goes to a place where nothing is in its way. Events with the fewest such periods come first.
/// Then a tabu search puts events in the places of other events, which have to look for another period.
/// When the search gets stuck, it shakes the placed events.
/// Ownership: refers to the state. The state ends wherever the search ends.
class Placer {
public:
    Placer(SearchState& state, std::uint64_t seed);

    /// Works until every event is placed or the budget ends. Returns the timetable with the smallest distance to feasibility.
    /// Exceptions of the stop hook pass through.
    Slots run(const Budget& budget, const StopHook& stop);

    /// Number of moves that the work took, in the units of budgets.
    std::int64_t moves() const;

private:
    /// A left-out event with a period for it.
    struct Candidate {
        int event = -1;
        int period = -1;
    };

    void placeFree();
    bool placeAnywhere(int event);
    Candidate choose();
    int countEjected(int event, int period);
    void place(const Candidate& candidate);
    void eject(int event, int period);
    void makeRoom(const Candidate& candidate);
    void shake();

    SearchState& state_;
    const Problem& problem_;
    Random random_;
    std::int64_t iteration_ = 0;
    std::vector<std::int64_t> tabuUntil_;    ///< indexed by event and period: the first iteration in which the event may go there again
    Exchange exchange_;                      ///< temporary
};

}    // namespace timetabling::enrolment
