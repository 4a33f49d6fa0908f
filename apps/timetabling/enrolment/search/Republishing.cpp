#include <ferry/apps/timetabling/enrolment/search/Republishing.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <ferry/apps/timetabling/enrolment/search/Annealer.hpp>
#include <ferry/apps/timetabling/enrolment/search/Placer.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>
#include <ferry/apps/timetabling/search/RepublishingWalks.hpp>

namespace timetabling::enrolment {

namespace {

bool canStay(const Problem& problem, int event) {
    const Place& place = problem.published()->placeOf(event);
    return place.room < 0 || (place.room < problem.roomCount() && problem.isSuitable(event, place.room));
}

/// Places the published events. Events whose published room still suits come first, so that no other event takes the room.
void placePublished(SearchState& state, std::uint64_t seed) {
    const Problem& problem = state.problem();
    Random random(seed);
    std::vector<int> left(state.unplaced().begin(), state.unplaced().end());
    random.shuffle(left);
    for (const bool hasRoom : {true, false}) {
        for (const int event : left) {
            const Place& place = problem.published()->placeOf(event);
            if (place.isPlaced() && canStay(problem, event) == hasRoom) state.tryPlace(event, place.period);
        }
    }
}

void placeKept(SearchState& state, std::uint64_t seed) {
    for (const Pin& pin : state.problem().instance().published.pins) state.tryPlace(pin.event, pin.period);
    if (state.problem().published()) placePublished(state, seed);
}

/// Brings events back to their published places, at any cost.
Individual bringBack(const Problem& problem, const Slots& slots, std::uint64_t seed, const Budget& budget, const StopHook& stop) {
    constexpr double Charge = 10;
    AnnealingOptions options = AnnealingOptions::forProblem(problem);
    options.costWeight = 0;
    options.charges = {static_cast<std::int64_t>(Charge), static_cast<std::int64_t>(Charge) - 1};
    options.cooling.startTemperature = 1.2 * Charge;    // measured on an instance of the competition
    options.cooling.endTemperature = 0.2 * Charge;
    options.cooling.coolingRate = 0.99;
    options.cooling.acceptedShare = 1;
    SearchState state(problem, slots);
    return Annealer(problem, seed).run(state, options, budget, stop);
}

/// A small part of a budget, for work that starts when there is already a timetable.
Budget partOf(const Budget& budget, std::int64_t mostMoves) {
    constexpr int Parts = 10;
    const std::int64_t moves = budget.moves > 0 ? std::clamp<std::int64_t>(budget.moves / Parts, 1, mostMoves) : mostMoves;
    return {moves, budget.seconds / Parts};
}

/// Constructs several timetables around the events that can stay. Returns the one with the fewest displaced events.
/// Without a published timetable, constructs one timetable only.
Individual constructNearby(const Problem& problem, std::uint64_t seed, BudgetMeter& meter, const StopHook& stop) {
    constexpr std::uint64_t MostAttempts = 20;
    constexpr std::int64_t MostMoves = 50'000'000;    ///< limit for all attempts together; further attempts start below it only
    BudgetMeter attempts(partOf(meter.rest(), MostMoves), stop);
    std::optional<Individual> best;
    for (std::uint64_t attempt = 0; attempt < MostAttempts; ++attempt) {
        SearchState state(problem);
        placeKept(state, Random::seedOf(seed, 2 * attempt));
        const bool isComplete = state.unplaced().empty();
        Placer placer(state, Random::seedOf(seed, 2 * attempt + 1));
        Individual built = SearchState(problem, placer.run(meter.rest(), stop)).individual();
        if (!best || built.isBetterThan(*best)) best = std::move(built);
        meter.hasEndedAfter(placer.moves());
        if (attempts.hasEndedAfter(placer.moves()) || meter.hasEnded() || isComplete || !problem.published()) break;
    }
    return *best;
}

}    // namespace

Individual constructAroundKept(const Problem& problem, std::uint64_t seed, const Budget& budget, const StopHook& stop) {
    constexpr std::int64_t MostMoves = 6'000'000;
    BudgetMeter meter(budget, stop);
    Individual best = constructNearby(problem, Random::seedOf(seed, 0), meter, stop);
    if (!problem.published() || best.moved == 0 || meter.hasEnded()) return best;
    Individual back = bringBack(problem, best.slots, Random::seedOf(seed, 1), partOf(meter.rest(), MostMoves), stop);
    return back.isBetterThan(best) ? back : best;
}

SearchResult annealTowardsPublished(const Problem& problem, const Slots& slots, const SearchOrder& order, double heat,
                                    const StopHook& stop) {
    AnnealingOptions options = AnnealingOptions::forProblem(problem);
    options.targetCost = order.targetCost;
    options.offer = order.offer;
    Annealer annealer(problem, order.seed);
    const auto annealFrom = [&](const WalkAroundPublished& walk, const Slots& from, const Budget& budget) {
        options.charges = walk.charges;
        options.cooling = walk.cooling;
        SearchState state(problem, from);
        const std::int64_t before = annealer.moves();
        Individual best = annealer.run(state, options, budget, stop);
        return SearchResult{std::move(best), annealer.moves() - before};
    };
    const double unit = studentsPerEvent(problem) / 10;    // most moves change the cost by less than one for each student of the event
    return RepublishingWalks(problem.published()->charges(), options.cooling, heat, unit).run(slots, order.budget, stop, annealFrom);
}

}    // namespace timetabling::enrolment
