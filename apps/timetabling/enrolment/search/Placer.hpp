#pragma once

#include <cstdint>
#include <vector>

#include <ferry/apps/timetabling/enrolment/search/SearchState.hpp>
#include <ferry/apps/timetabling/search/Budget.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>

namespace timetabling::enrolment {

/// Finds places for the events that a timetable leaves out, whatever that costs.
///
/// First each event goes where nothing is in its way, those with the fewest such periods first. Then a tabu search puts events in the
/// place of others, which have to look for another period, and shakes what is placed when it is stuck.
/// Ownership: refers to the state, and leaves it wherever the search ends.
class Placer {
public:
    Placer(SearchState& state, std::uint64_t seed);

    /// Works until every event is placed or the budget ends. Returns the timetable with the least distance to feasibility. What the stop
    /// hook throws comes through.
    Slots run(const Budget& budget, const StopHook& stop);

    /// Moves that the work took, as budgets count them.
    std::int64_t moves() const;

private:
    /// An event that is left out, with a period for it.
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
    std::vector<std::int64_t> tabuUntil_;    ///< by event and period: the iteration from which it may go there again
    Exchange exchange_;                      ///< scratch
};

}    // namespace timetabling::enrolment
