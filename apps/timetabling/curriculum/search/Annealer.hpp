#pragma once

#include <cstdint>

#include <ferry/apps/timetabling/curriculum/search/SearchState.hpp>
#include <ferry/apps/timetabling/search/BestOffer.hpp>
#include <ferry/apps/timetabling/search/Budget.hpp>
#include <ferry/apps/timetabling/search/Cooling.hpp>
#include <ferry/apps/timetabling/search/Individual.hpp>
#include <ferry/apps/timetabling/search/MoveFront.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>

namespace timetabling::curriculum {

struct AnnealingOptions {
    CoolingSchedule cooling;
    double swapShare = 0.1;         ///< share of the moves that exchange two lectures; a move to an occupied slot exchanges as well
    int conflictWeight = 100;       ///< weight of a conflict
    int costWeight = 1;             ///< weight of a unit of the soft cost
    DisplacementCharges charges;    ///< charges for displaced lectures during the walk; the charges of the problem decide which timetable
                                    ///< is the best
    bool endsWhenFeasible = false;
    std::int64_t targetCost = 0;    ///< a feasible timetable that costs no more ends the annealing
    OfferHook offer;                ///< gets the best timetable
    int mostMoved = -1;             ///< greatest number of displaced lectures; -1: no limit. The first timetable has to keep to it
    MoveFront* front = nullptr;     ///< gets each feasible timetable; may be null. Only with a published timetable
};

/// Improves a timetable by simulated annealing: lectures move to other slots or change places.
/// When some lectures are not in their published places, every other move is a move of such a lecture, perhaps back to its place.
class Annealer {
public:
    Annealer(const Problem& problem, std::uint64_t seed) : problem_(problem), random_(seed) {}

    /// Anneals from the timetable of the state. Returns the best timetable seen, the first one included.
    /// Errors: std::invalid_argument for a schedule that does not cool. Exceptions of the stop hook pass through.
    Individual run(SearchState& state, const AnnealingOptions& options, const Budget& budget, const StopHook& stop);

    /// Moves tried so far in all runs.
    std::int64_t moves() const { return moves_; }

private:
    template <bool Keeps>
    class Walk;

    template <bool Keeps>
    Individual walk(SearchState& state, const AnnealingOptions& options, BudgetMeter& meter);

    const Problem& problem_;
    Random random_;
    std::int64_t moves_ = 0;
};

}    // namespace timetabling::curriculum
