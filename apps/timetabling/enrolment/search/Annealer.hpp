#pragma once

#include <cstddef>
#include <cstdint>

#include <ferry/apps/timetabling/enrolment/search/SearchState.hpp>
#include <ferry/apps/timetabling/search/BestOffer.hpp>
#include <ferry/apps/timetabling/search/Budget.hpp>
#include <ferry/apps/timetabling/search/Cooling.hpp>
#include <ferry/apps/timetabling/search/Individual.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>

namespace timetabling::enrolment {

struct AnnealingOptions {
    CoolingSchedule cooling;
    double chainShare = 0.2;         ///< share of the impossible moves that become Kempe chains
    std::size_t mostInChain = 12;    ///< number of events
    std::int64_t targetCost = 0;     ///< a complete timetable that costs no more ends the annealing
    int costWeight = 1;              ///< weight of a unit of the soft cost, used with a published timetable
    DisplacementCharges charges;     ///< charges for displaced events during the walk; the charges of the problem decide which timetable is
                                     ///< the best
    OfferHook offer;                 ///< gets the best timetable

    /// Returns suitable options for the problem. They come from measurements on instances of the competitions.
    static AnnealingOptions forProblem(const Problem& problem);
};

/// The average number of students of an event, at least 1. A move changes the cost by about this number.
double studentsPerEvent(const Problem& problem);

/// Improves a timetable by simulated annealing, and never breaks a rule.
/// An event moves to another period, changes places with another event, or takes along a Kempe chain of events.
/// Left-out events are placed when a place is free.
/// When some events are not in their published places, every other move is a move of such an event, perhaps back to its place.
class Annealer {
public:
    Annealer(const Problem& problem, std::uint64_t seed) : problem_(problem), random_(seed) {}

    /// Anneals from the timetable of the state. Returns the best timetable seen, the first one included. Ends early at the target.
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

}    // namespace timetabling::enrolment
