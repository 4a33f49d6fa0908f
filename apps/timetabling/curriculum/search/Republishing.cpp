#include <ferry/apps/timetabling/curriculum/search/Republishing.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <ferry/apps/timetabling/curriculum/search/Annealer.hpp>
#include <ferry/apps/timetabling/curriculum/search/Construction.hpp>
#include <ferry/apps/timetabling/curriculum/search/PartialTimetable.hpp>

namespace timetabling::curriculum {

namespace {

/// For a walk that moves lectures away on its way; a displaced one counts more than most changes of it gain.
constexpr std::int64_t MostWalkCharge = 100;
constexpr double LeastHeat = 2;
constexpr double MostHeat = 30;
constexpr double HeatPerCharge = 0.15;    ///< at this temperature about a tenth of the lectures are displaced
constexpr double WanderingShare = 0.7;    ///< of the budget; the rest is for the walk that displaces no more lectures
constexpr int ConflictsPerCharge = 4;     ///< to solve a conflict may take some lectures along

Slots slotsFromPublished(const Problem& problem, std::uint64_t seed) {
    Random random(seed);
    PartialTimetable timetable(problem);
    timetable.putPinned(random);
    timetable.putPublished(random);
    if (timetable.putRest(random)) return timetable.slots();
    return randomSlots(problem, seed);
}

/// The charges of the problem, scaled down where they are so high that a walk could not move.
DisplacementCharges walkCharges(const DisplacementCharges& charges) {
    if (charges.otherPeriod <= MostWalkCharge) return charges;
    const std::int64_t difference = std::min(charges.otherPeriod - charges.otherRoom, MostWalkCharge / 10);
    return {MostWalkCharge, MostWalkCharge - difference};
}

Budget shareOf(const Budget& budget, double share) {
    return {budget.moves > 0 ? std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(budget.moves) * share)) : 0,
            budget.seconds * share};
}

/// For a walk in which lectures leave their places and come back. Where the charges had to be scaled it ends when it is too cold for that.
AnnealingOptions wanderingOptions(const DisplacementCharges& charges, const SearchOrder& order, double heat) {
    AnnealingOptions options;
    options.charges = walkCharges(charges);
    options.conflictWeight = std::max(order.conflictWeight, ConflictsPerCharge * static_cast<int>(options.charges.otherPeriod));
    options.targetCost = order.targetCost;
    options.cooling.startTemperature =
        heat * std::clamp(HeatPerCharge * static_cast<double>(options.charges.otherPeriod), LeastHeat, MostHeat);
    if (charges.otherPeriod > MostWalkCharge) options.cooling.endTemperature = LeastHeat;
    return options;
}

/// For a walk that displaces no more lectures than there are already.
AnnealingOptions stayingOptions(const DisplacementCharges& charges, const SearchOrder& order) {
    constexpr int Prohibitive = 1'000'000'000;
    AnnealingOptions options;
    options.charges = charges;
    options.conflictWeight = Prohibitive;
    options.targetCost = order.targetCost;
    options.cooling.startTemperature = LeastHeat;
    return options;
}

}    // namespace

Individual constructFromPublished(const Problem& problem, std::uint64_t seed, const Budget& budget, const StopHook& stop) {
    constexpr std::int64_t Moves = 2'000'000;
    AnnealingOptions options;
    options.conflictWeight = 10 * ConflictsPerCharge;
    options.costWeight = 0;
    options.charges = {10, 10};
    options.cooling.startTemperature = 10 * HeatPerCharge;
    options.cooling.endTemperature = 0.2;
    options.cooling.acceptedShare = 1;
    options.endsWhenFeasible = true;

    BudgetMeter meter(budget, stop);
    SearchState state(problem, slotsFromPublished(problem, Random::seedOf(seed, 0)));
    Annealer annealer(problem, Random::seedOf(seed, 1));
    Budget part = meter.rest();
    part.moves = part.moves > 0 ? std::min(part.moves, Moves) : Moves;
    Individual near = annealer.run(state, options, part, stop);
    meter.hasEndedAfter(annealer.moves());
    if (near.isFeasible() || meter.hasEnded()) return near;
    // No way near by: any feasible timetable, from which the annealing finds back as far as it can.
    Individual far = constructIndividual(problem, Random::seedOf(seed, 2), meter.rest(), stop);
    return far.isBetterThan(near) ? far : near;
}

SearchResult annealTowardsPublished(const Problem& problem, const Slots& slots, const SearchOrder& order, double heat,
                                    const StopHook& stop) {
    BudgetMeter meter(order.budget, stop);
    const DisplacementCharges& charges = problem.published()->charges();
    const bool isScaled = charges.otherPeriod > MostWalkCharge;
    Annealer annealer(problem, order.seed);
    SearchState wandering(problem, slots);
    const Budget budget = isScaled ? shareOf(order.budget, WanderingShare) : order.budget;
    Individual best = annealer.run(wandering, wanderingOptions(charges, order, heat), budget, stop);
    meter.hasEndedAfter(annealer.moves());
    if (isScaled && !meter.hasEnded()) {
        SearchState staying(problem, best.slots);
        Individual after = annealer.run(staying, stayingOptions(charges, order), meter.rest(), stop);
        if (after.isBetterThan(best)) best = std::move(after);
    }
    return {std::move(best), annealer.moves()};
}

}    // namespace timetabling::curriculum
