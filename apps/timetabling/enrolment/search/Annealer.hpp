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
    double chainShare = 0.2;         ///< share of the moves that cannot be made as they are and become Kempe chains
    std::size_t mostInChain = 12;    ///< events
    std::int64_t targetCost = 0;     ///< a timetable without events left out that costs no more ends the annealing
    int costWeight = 1;              ///< what a unit of the soft cost counts, where a timetable was published
    DisplacementCharges charges;     ///< what displaced events count for the walk; the best timetable is told by those of the problem
    OfferHook offer;                 ///< is offered the best timetable

    /// Options that suit the problem; found by measuring on instances of the competitions.
    static AnnealingOptions forProblem(const Problem& problem);
};

/// How many students an event has on average, at least 1: about what a move changes in cost.
double studentsPerEvent(const Problem& problem);

/// Improves a timetable by simulated annealing without ever breaking a rule: an event goes to another period, changes places with
/// another one, or takes along a Kempe chain of events. Events that are left out are placed when there is a chance. Where some are not
/// where they were published, every other move is one of them, and may take it back.
class Annealer {
public:
    Annealer(const Problem& problem, std::uint64_t seed) : problem_(problem), random_(seed) {}

    /// Anneals from where the state is; returns the best timetable seen, the first one included. Ends early at the target.
    /// Errors: std::invalid_argument for a schedule that does not cool. What the stop hook throws comes through.
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
