#include <ferry/apps/timetabling/curriculum/search/Republishing.hpp>

#include <algorithm>
#include <array>
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

    if (const Slots& begin = problem.instance().published.begin; !begin.empty()) {
        const SearchState state(problem, begin);
        if (state.isFeasible())
            return {begin, 0, state.cost(), state.displacement().count(), problem.published()->charges().of(state.displacement())};
    }
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

std::vector<FrontPoint> annealWithin(const Problem& problem, const Slots& slots, int mostMoved, const SearchOrder& order,
                                     const StopHook& stop) {
    // Instances differ in which walk suits them, so the seed chooses one of twelve.
    constexpr std::array<double, 3> heats{2, 6, 15};
    constexpr std::array<int, 2> conflictWeights{100, 20};
    MoveFront front(mostMoved);
    SearchState state(problem, slots);
    if (state.displacement().count() > mostMoved || !state.isFeasible())
        throw std::invalid_argument("a search within a number of moves needs a feasible timetable within it");
    AnnealingOptions options;
    // Some timetables are reached over others with more moves only. The front takes none of these.
    constexpr int detour = 2;
    const bool takesDetours = order.seed % 4 >= 2;
    options.mostMoved = takesDetours ? mostMoved + detour : mostMoved;
    if (takesDetours) options.charges = {2, 2};
    options.front = &front;
    options.conflictWeight = conflictWeights[order.seed % conflictWeights.size()];
    options.cooling.startTemperature = heats[order.seed % heats.size()];
    front.offer(state.displacement().count(), state.cost(), slots);
    Annealer annealer(problem, order.seed);
    annealer.run(state, options, order.budget, stop);
    return front.points();
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
