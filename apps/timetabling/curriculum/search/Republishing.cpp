#include <ferry/apps/timetabling/curriculum/search/Republishing.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <ferry/apps/timetabling/curriculum/search/Annealer.hpp>
#include <ferry/apps/timetabling/curriculum/search/Construction.hpp>
#include <ferry/apps/timetabling/curriculum/search/PartialTimetable.hpp>
#include <ferry/apps/timetabling/search/RepublishingWalks.hpp>

namespace timetabling::curriculum {

namespace {

constexpr int ConflictsPerCharge = 4;    ///< because solving a conflict may displace several lectures

Slots slotsFromPublished(const Problem& problem, std::uint64_t seed) {
    Random random(seed);
    PartialTimetable timetable(problem);
    timetable.putPinned(random);
    timetable.putPublished(random);
    if (timetable.putRest(random)) return timetable.slots();
    return randomSlots(problem, seed);
}

AnnealingOptions optionsFor(const WalkAroundPublished& walk, const SearchOrder& order) {
    constexpr int Prohibitive = 1'000'000'000;
    AnnealingOptions options;
    options.charges = walk.charges;
    options.conflictWeight = walk.displacesNoMore
                                 ? Prohibitive
                                 : std::max(order.conflictWeight, ConflictsPerCharge * static_cast<int>(walk.charges.otherPeriod));
    options.targetCost = order.targetCost;
    options.offer = order.offer;
    options.cooling = walk.cooling;
    return options;
}

}    // namespace

Individual constructFromPublished(const Problem& problem, std::uint64_t seed, const Budget& budget, const StopHook& stop) {
    constexpr std::int64_t Moves = 2'000'000;
    AnnealingOptions options;
    options.conflictWeight = 10 * ConflictsPerCharge;
    options.costWeight = 0;
    options.charges = {10, 10};
    options.cooling.startTemperature = 1.5;
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
    // No solution nearby: take any feasible timetable. The annealing moves it back towards the published one as far as it can.
    Individual far = constructIndividual(problem, Random::seedOf(seed, 2), meter.rest(), stop);
    return far.isBetterThan(near) ? far : near;
}

SearchResult annealTowardsPublished(const Problem& problem, const Slots& slots, const SearchOrder& order, double heat,
                                    const StopHook& stop) {
    constexpr double Unit = 1;
    Annealer annealer(problem, order.seed);
    const auto annealFrom = [&](const WalkAroundPublished& walk, const Slots& from, const Budget& budget) {
        SearchState state(problem, from);
        const std::int64_t before = annealer.moves();
        Individual best = annealer.run(state, optionsFor(walk, order), budget, stop);
        return SearchResult{std::move(best), annealer.moves() - before};
    };
    return RepublishingWalks(problem.published()->charges(), CoolingSchedule(), heat, Unit).run(slots, order.budget, stop, annealFrom);
}

}    // namespace timetabling::curriculum
