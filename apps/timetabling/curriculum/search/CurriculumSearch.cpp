#include <ferry/apps/timetabling/curriculum/search/CurriculumSearch.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

#include <ferry/apps/timetabling/curriculum/model/Solution.hpp>
#include <ferry/apps/timetabling/curriculum/model/leftOutLectures.hpp>
#include <ferry/apps/timetabling/curriculum/search/Annealer.hpp>
#include <ferry/apps/timetabling/curriculum/search/Construction.hpp>
#include <ferry/apps/timetabling/curriculum/search/Crossover.hpp>
#include <ferry/apps/timetabling/curriculum/search/Infeasibility.hpp>
#include <ferry/apps/timetabling/curriculum/search/MostPlaced.hpp>
#include <ferry/apps/timetabling/curriculum/search/MoveSearch.hpp>
#include <ferry/apps/timetabling/curriculum/search/Republishing.hpp>
#include <ferry/apps/timetabling/curriculum/search/SearchState.hpp>
#include <ferry/apps/timetabling/curriculum/search/leastLeftOut.hpp>

namespace timetabling::curriculum {

namespace {

constexpr double CrossoverShare = 0.3;    ///< share of the periods that come from the second parent
constexpr double ChildTemperature = 2;    ///< hot enough to repair the damage of the crossover, and too cold to forget the parents
constexpr int RepairFactor = 9;           ///< violations weigh so much more when a nearly feasible timetable is repaired
constexpr int RepairShare = 8;            ///< such a part of the budget comes on top for that
constexpr double ChildHeat = 0.5;         ///< with a published timetable: start temperature for a child, as a share of the highest
                                          ///< temperature

/// Whether an annealing has come to a timetable with violations that would be better than the best one, even with their weight. Where
/// courses have many curricula, a violation may be cheaper than all ways around it.
bool isNearlyFeasible(const SearchState& end, const Individual& best, int conflictWeight) {
    return end.conflicts() > 0 && (!best.isFeasible() || end.cost() + end.conflicts() * conflictWeight < best.total());
}

/// Anneals the timetable. Where the annealing ends nearly feasible, another part of the budget ends the violations with a higher weight.
SearchResult annealFrom(const Problem& problem, const Slots& slots, const SearchOrder& order, const AnnealingOptions& options,
                        const StopHook& stop) {
    SearchState state(problem, slots);
    Annealer annealer(problem, order.seed);
    Individual best = annealer.run(state, options, order.budget, stop);
    if (!isNearlyFeasible(state, best, options.conflictWeight)) return {std::move(best), annealer.moves()};
    AnnealingOptions repair = options;
    repair.conflictWeight *= RepairFactor;
    repair.cooling.startTemperature = ChildTemperature;
    const Budget part{order.budget.moves > 0 ? std::max<std::int64_t>(1, order.budget.moves / RepairShare) : 0,
                      order.budget.seconds / RepairShare};
    Individual repaired = annealer.run(state, repair, part, stop);
    return {repaired.isBetterThan(best) ? std::move(repaired) : std::move(best), annealer.moves()};
}

}    // namespace

std::optional<Infeasibility> CurriculumSearch::findInfeasibility() const { return curriculum::findInfeasibility(problem_); }

std::optional<Infeasibility> CurriculumSearch::findInfeasibility(const Slots& best) const {
    return curriculum::findInfeasibility(problem_, best);
}

int CurriculumSearch::populationFor(int /*slaveCount*/) const { return 4; }

std::string CurriculumSearch::describeViolations(const Slots& slots) const { return describeConflicts(problem_, slots); }

void CurriculumSearch::check(const Slots& slots) const { checkSlots(problem_, slots); }

Individual CurriculumSearch::construct(std::uint64_t seed, const Budget& budget, const StopHook& stop) const {
    if (problem_.published()) return constructFromPublished(problem_, seed, budget, stop);
    return constructIndividual(problem_, seed, budget, stop);
}

SearchResult CurriculumSearch::anneal(const Slots& slots, const SearchOrder& order, const StopHook& stop) const {
    if (problem_.published()) return annealTowardsPublished(problem_, slots, order, 1, stop);
    AnnealingOptions options;
    options.conflictWeight = order.conflictWeight;
    options.targetCost = order.targetCost;
    options.offer = order.offer;
    return annealFrom(problem_, slots, order, options, stop);
}

SearchResult CurriculumSearch::improve(const Slots& child, const SearchOrder& order, const StopHook& stop) const {
    if (problem_.published()) return annealTowardsPublished(problem_, child, order, ChildHeat, stop);
    AnnealingOptions options;
    options.conflictWeight = order.conflictWeight;
    options.targetCost = order.targetCost;
    options.offer = order.offer;
    options.cooling.startTemperature = ChildTemperature;
    return annealFrom(problem_, child, order, options, stop);
}

Slots CurriculumSearch::cross(const Slots& first, const Slots& second, Random& random) const {
    return exchangePeriods(problem_, first, second, CrossoverShare, random);
}

std::optional<LeastMoves> CurriculumSearch::leastMoves(const Budget& budget, const StopHook& stop) const {
    if (!problem_.published()) return std::nullopt;
    return findLeastMoves(problem_, budget, stop);
}

std::vector<FrontPoint> CurriculumSearch::searchWithin(const Slots& slots, int mostMoved, const SearchOrder& order,
                                                       const StopHook& stop) const {
    return annealWithin(problem_, slots, mostMoved, order, stop);
}

std::optional<Slots> CurriculumSearch::placeMost(std::uint64_t seed, const Budget& budget, const StopHook& stop) const {
    return MostPlaced(problem_, seed).run(leftOutByCounting(problem_), budget, stop);
}

LeastLeftOut CurriculumSearch::leastLeftOut(int most, const Budget& budget, const StopHook& stop) const {
    return findLeastLeftOut(problem_, most, budget, stop);
}

Slots CurriculumSearch::fillIn(const Slots& slots) const { return filledIn(problem_, slots); }

bool CurriculumSearch::areAlike(const Slots& a, const Slots& b) const {
    // Around a published timetable all timetables differ little.
    if (problem_.published()) return a == b;
    // Timetables count as equal when fewer than a hundredth of their lectures are in different periods.
    constexpr int LecturesPerDifference = 100;
    return distanceBetween(problem_, a, b) < 1 + problem_.lectureCount() / LecturesPerDifference;
}

}    // namespace timetabling::curriculum
