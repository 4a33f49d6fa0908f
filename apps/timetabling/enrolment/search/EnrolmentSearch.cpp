#include <ferry/apps/timetabling/enrolment/search/EnrolmentSearch.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ferry/apps/timetabling/enrolment/model/Score.hpp>
#include <ferry/apps/timetabling/enrolment/model/Solution.hpp>
#include <ferry/apps/timetabling/enrolment/search/Annealer.hpp>
#include <ferry/apps/timetabling/enrolment/search/Infeasibility.hpp>
#include <ferry/apps/timetabling/enrolment/search/Placer.hpp>
#include <ferry/apps/timetabling/enrolment/search/Republishing.hpp>

namespace timetabling::enrolment {

namespace {

constexpr double CrossoverShare = 0.3;    ///< share of the periods that come from the second parent
constexpr double ChildHeat = 0.25;    ///< share of the start temperature: hot enough to repair the damage of the crossover, and too cold to
                                      ///< forget the parents
constexpr double PlacingShare = 0.25;    ///< greatest share of a child's budget for the search of places for left-out events

SearchResult annealFrom(const Problem& problem, const Slots& slots, const SearchOrder& order, double heat, const StopHook& stop) {
    if (problem.published()) return annealTowardsPublished(problem, slots, order, heat, stop);
    AnnealingOptions options = AnnealingOptions::forProblem(problem);
    options.cooling.startTemperature *= heat;
    options.targetCost = order.targetCost;
    options.offer = order.offer;
    SearchState state(problem, slots);
    Annealer annealer(problem, order.seed);
    Individual best = annealer.run(state, options, order.budget, stop);
    return {std::move(best), annealer.moves()};
}

}    // namespace

std::optional<Infeasibility> EnrolmentSearch::findInfeasibility() const {
    if (problem_.instance().leavesOut) return std::nullopt;
    return enrolment::findInfeasibility(problem_);
}

/// A left-out event of a search may still have a place, so the timetable gives no proof.
std::optional<Infeasibility> EnrolmentSearch::findInfeasibility(const Slots& /*best*/) const { return std::nullopt; }

int EnrolmentSearch::populationFor(int slaveCount) const {
    // One long annealing finds more than several short ones, so each slave gets one individual.
    constexpr int Most = 64;
    return std::clamp(slaveCount, 1, Most);
}

std::string EnrolmentSearch::describeViolations(const Slots& slots) const {
    constexpr std::size_t MostShown = 3;
    const std::vector<Violation> violations = findHardViolations(problem_, toSolution(problem_, slots));
    std::string text;
    for (std::size_t i = 0; i < violations.size() && i < MostShown; ++i) {
        text += fmt::format("{}{}", i == 0 ? "" : "; ", describe(problem_, violations[i]));
    }
    if (violations.size() > MostShown) text += fmt::format("; and {} more", violations.size() - MostShown);
    return text;
}

void EnrolmentSearch::check(const Slots& slots) const { checkSlots(problem_, slots); }

Individual EnrolmentSearch::construct(std::uint64_t seed, const Budget& budget, const StopHook& stop) const {
    if (problem_.published() || problem_.hasPins()) return constructAroundKept(problem_, seed, budget, stop);
    SearchState state(problem_);
    return SearchState(problem_, Placer(state, seed).run(budget, stop)).individual();
}

SearchResult EnrolmentSearch::anneal(const Slots& slots, const SearchOrder& order, const StopHook& stop) const {
    return annealFrom(problem_, slots, order, 1, stop);
}

SearchResult EnrolmentSearch::improve(const Slots& child, const SearchOrder& order, const StopHook& stop) const {
    BudgetMeter meter(order.budget, stop);
    SearchState state(problem_, child);
    const Budget placing{static_cast<std::int64_t>(PlacingShare * static_cast<double>(order.budget.moves)),
                         PlacingShare * order.budget.seconds};
    const Slots placed = Placer(state, Random::seedOf(order.seed, 0)).run(placing, stop);
    meter.hasEndedAfter(0);
    return annealFrom(problem_, placed, {Random::seedOf(order.seed, 1), meter.rest(), order.conflictWeight, order.targetCost, order.offer},
                      ChildHeat, stop);
}

Slots EnrolmentSearch::cross(const Slots& first, const Slots& second, Random& random) const {
    std::vector<bool> isFromSecond(static_cast<std::size_t>(PeriodCount));
    for (int period = 0; period < PeriodCount; ++period)
        isFromSecond[static_cast<std::size_t>(period)] = random.fraction() < CrossoverShare;
    SearchState child(problem_);
    for (int event = 0; event < problem_.eventCount(); ++event) {
        const int slot = second[static_cast<std::size_t>(event)];
        if (slot >= 0 && isFromSecond[static_cast<std::size_t>(problem_.periodOfSlot(slot))])
            child.tryPlace(event, problem_.periodOfSlot(slot));
    }
    for (int event = 0; event < problem_.eventCount(); ++event) {
        const int slot = first[static_cast<std::size_t>(event)];
        if (slot >= 0 && child.periodOf(event) < 0) child.tryPlace(event, problem_.periodOfSlot(slot));
    }
    return child.slots();
}

bool EnrolmentSearch::areAlike(const Slots& a, const Slots& b) const {
    // Around a published timetable all timetables differ little.
    if (problem_.published()) return a == b;
    // Timetables count as equal when fewer than a hundredth of their events are in different periods.
    constexpr int EventsPerDifference = 100;
    int different = 0;
    for (std::size_t event = 0; event < a.size(); ++event) {
        const bool isSame =
            a[event] < 0 || b[event] < 0 ? a[event] == b[event] : problem_.periodOfSlot(a[event]) == problem_.periodOfSlot(b[event]);
        different += isSame ? 0 : 1;
    }
    return different < 1 + problem_.eventCount() / EventsPerDifference;
}

}    // namespace timetabling::enrolment
