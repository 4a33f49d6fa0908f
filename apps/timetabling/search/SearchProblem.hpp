#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/model/Slots.hpp>
#include <ferry/apps/timetabling/search/BestOffer.hpp>
#include <ferry/apps/timetabling/search/Budget.hpp>
#include <ferry/apps/timetabling/search/Individual.hpp>
#include <ferry/apps/timetabling/search/Infeasibility.hpp>
#include <ferry/apps/timetabling/search/LeastLeftOut.hpp>
#include <ferry/apps/timetabling/search/LeastMoves.hpp>
#include <ferry/apps/timetabling/search/MoveFront.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>

namespace timetabling {

/// The parameters of the work on a timetable.
struct SearchOrder {
    std::uint64_t seed = 0;
    Budget budget;
    int conflictWeight = 100;       ///< weight of a violation, for searches that pass through timetables with violations
    std::int64_t targetCost = 0;    ///< a feasible timetable that costs no more ends the work
    OfferHook offer{};              ///< gets the best timetable during the work
};

/// The best timetable that a search has seen, and the number of moves it tried.
struct SearchResult {
    Individual best;
    std::int64_t moves = 0;
};

/// A problem of any kind, in the form that the parallel part needs: builds, improves, crosses and compares timetables.
///
/// Threads: no function changes the object, so any number of threads may use it.
class SearchProblem {
public:
    SearchProblem() = default;
    SearchProblem(const SearchProblem&) = delete;
    SearchProblem& operator=(const SearchProblem&) = delete;
    virtual ~SearchProblem() = default;

    /// Looks for a cheap proof that no feasible timetable exists. An empty result does not mean that one exists.
    virtual std::optional<Infeasibility> findInfeasibility() const = 0;
    /// Looks for such a proof around the violations of the best timetable that a search has found.
    virtual std::optional<Infeasibility> findInfeasibility(const Slots& best) const = 0;
    /// The size of the population for slaveCount slaves, when the user does not give a size.
    virtual int populationFor(int slaveCount) const = 0;
    /// Whether a timetable with violations is a useful result, such as a timetable that leaves events out.
    virtual bool acceptsViolations() const = 0;
    /// Describes the violations of the timetable in one line, with the names of the instance.
    virtual std::string describeViolations(const Slots& slots) const = 0;
    /// Throws std::invalid_argument unless the slots have the properties that the searches guarantee.
    virtual void check(const Slots& slots) const = 0;

    /// Builds a timetable. When the budget ends before there is a feasible one, returns the one with the fewest violations.
    virtual Individual construct(std::uint64_t seed, const Budget& budget, const StopHook& stop) const = 0;
    /// Improves a timetable that has just been built. The result is never worse.
    virtual SearchResult anneal(const Slots& slots, const SearchOrder& order, const StopHook& stop) const = 0;
    /// Improves a timetable from cross(), and stays near its parents.
    virtual SearchResult improve(const Slots& child, const SearchOrder& order, const StopHook& stop) const = 0;

    /// Returns a child of two timetables, for improve().
    virtual Slots cross(const Slots& first, const Slots& second, Random& random) const = 0;
    /// Looks for the least number of moves of a published timetable. Nothing when the kind of problem has no such search.
    virtual std::optional<LeastMoves> leastMoves(const Budget& /*budget*/, const StopHook& /*stop*/) const { return std::nullopt; }
    /// Searches cheap timetables with at most mostMoved moves. `slots` is a feasible one, where the search begins. See MoveFront.
    virtual std::vector<FrontPoint> searchWithin(const Slots& /*slots*/, int /*mostMoved*/, const SearchOrder& /*order*/,
                                                 const StopHook& /*stop*/) const {
        return {};
    }

    /// Looks for a timetable that leaves out as few lectures as possible, and breaks no other hard constraint. The slots of these lectures
    /// are -1. Nothing when each timetable of this kind of problem may leave something out.
    virtual std::optional<Slots> placeMost(std::uint64_t /*seed*/, const Budget& /*budget*/, const StopHook& /*stop*/) const {
        return std::nullopt;
    }
    /// Looks for the least number of lectures that a timetable leaves out. Ends at 'most', for which there is a timetable.
    virtual LeastLeftOut leastLeftOut(int /*most*/, const Budget& /*budget*/, const StopHook& /*stop*/) const { return {}; }
    /// Puts lectures that are left out into places that are free for them.
    virtual Slots fillIn(const Slots& slots) const { return slots; }

    /// Whether the two timetables are so similar that a population needs only one of them.
    virtual bool areAlike(const Slots& a, const Slots& b) const = 0;
};

}    // namespace timetabling
