#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <ferry/apps/timetabling/model/Slots.hpp>
#include <ferry/apps/timetabling/search/BestOffer.hpp>
#include <ferry/apps/timetabling/search/Budget.hpp>
#include <ferry/apps/timetabling/search/Individual.hpp>
#include <ferry/apps/timetabling/search/Infeasibility.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>

namespace timetabling {

/// How a timetable should be worked on.
struct SearchOrder {
    std::uint64_t seed = 0;
    Budget budget;
    int conflictWeight = 100;       ///< what a violation counts, for searches that allow them on the way
    std::int64_t targetCost = 0;    ///< a feasible timetable that costs no more ends the work
    OfferHook offer{};              ///< is offered the best timetable meanwhile
};

/// The best timetable that a search has seen, and the moves it tried.
struct SearchResult {
    Individual best;
    std::int64_t moves = 0;
};

/// A problem as the parallel part knows it, whatever its kind: how timetables are built, improved, crossed and compared.
///
/// Threads: not changed by any of the functions, so any number of threads may use one.
class SearchProblem {
public:
    SearchProblem() = default;
    SearchProblem(const SearchProblem&) = delete;
    SearchProblem& operator=(const SearchProblem&) = delete;
    virtual ~SearchProblem() = default;

    /// A cheap proof that there is no feasible timetable; none found does not mean that there is one.
    virtual std::optional<Infeasibility> findInfeasibility() const = 0;
    /// The same, sought around what is violated in the best timetable that a search could make.
    virtual std::optional<Infeasibility> findInfeasibility(const Slots& best) const = 0;
    /// How many timetables to keep when so many slaves work and the user does not say.
    virtual int populationFor(int slaveCount) const = 0;
    /// Whether a timetable with violations is worth having, such as one that leaves events out.
    virtual bool acceptsViolations() const = 0;
    /// What is violated in the timetable, in one line and in the names of the instance.
    virtual std::string describeViolations(const Slots& slots) const = 0;
    /// Throws std::invalid_argument unless the slots are such as the searches make.
    virtual void check(const Slots& slots) const = 0;

    /// Builds a timetable; the one with the fewest violations when the budget ends before there is a feasible one.
    virtual Individual construct(std::uint64_t seed, const Budget& budget, const StopHook& stop) const = 0;
    /// Improves a timetable that has just been built; never returns a worse one.
    virtual SearchResult anneal(const Slots& slots, const SearchOrder& order, const StopHook& stop) const = 0;
    /// Improves a timetable that cross() made, without forgetting its parents.
    virtual SearchResult improve(const Slots& child, const SearchOrder& order, const StopHook& stop) const = 0;

    /// A child of two timetables, fit for improve().
    virtual Slots cross(const Slots& first, const Slots& second, Random& random) const = 0;
    /// Whether the two differ so little that a population needs only one of them.
    virtual bool areAlike(const Slots& a, const Slots& b) const = 0;
};

}    // namespace timetabling
