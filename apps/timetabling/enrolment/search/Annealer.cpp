#include <ferry/apps/timetabling/enrolment/search/Annealer.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace timetabling::enrolment {

AnnealingOptions AnnealingOptions::forProblem(const Problem& problem) {
    std::size_t attendances = 0;
    for (const std::vector<int>& events : problem.instance().eventsOfStudent) attendances += events.size();
    // A move changes the days of the students of an event, so that costs grow with their number.
    const double students = std::max(1.0, static_cast<double>(attendances) / static_cast<double>(problem.eventCount()));
    AnnealingOptions options;
    options.cooling.endTemperature = 0.035 * students;
    options.cooling.acceptedShare = 1;
    if (problem.instance().hasSecondRules) {
        // Closed periods and precedences leave few single moves; chains find ways between them.
        options.cooling.startTemperature = 2 * students;
        options.cooling.coolingRate = 0.995;
        options.cooling.acceptedShare = 0.05;
        options.chainShare = 0.3;
    } else {
        options.cooling.startTemperature = 0.35 * students;
    }
    return options;
}

/// The walk of one annealing, see coolDown().
class Annealer::Walk {
public:
    Walk(const Problem& problem, Random& random, SearchState& state, const AnnealingOptions& options)
        : problem_(problem),
          random_(random),
          state_(state),
          chainThreshold_(static_cast<std::uint32_t>(options.chainShare * 65536.0)),
          mostInChain_(options.mostInChain),
          targetCost_(options.targetCost),
          best_{state.slots(), state.distance(), state.cost()} {}

    bool isDone() const { return best_.reaches(targetCost_); }

    /// Tries one move; tells whether it was accepted.
    bool tryMove(double temperature) {
        const std::uint64_t bits = random_.bits();
        const int event = Random::scale(static_cast<std::uint32_t>(bits >> 32), problem_.eventCount());
        const std::uint64_t more = random_.bits();
        const std::span<const int> open = problem_.openPeriods(event);
        if (open.empty()) return false;
        const int to = open[static_cast<std::size_t>(Random::scale(static_cast<std::uint32_t>(more >> 32), static_cast<int>(open.size())))];
        const int from = state_.periodOf(event);
        if (from == to) return false;
        if (from < 0) return place(event, to);
        const bool mayChain = (bits & 0xFFFF) < chainThreshold_;
        if (!choose(event, to, static_cast<std::uint32_t>(more), mayChain)) return false;
        const int cost = state_.costOf(exchange_);
        if (cost > 0 && cost > -temperature * std::log(1.0 - random_.fraction())) return false;
        if (!state_.tryApply(exchange_, cost)) return false;
        noteIfBest();
        return true;
    }

    Individual takeBest() { return std::move(best_); }

private:
    /// Whether some exchange that begins with the event going to the period breaks no rule; it is in exchange_ then.
    bool choose(int event, int to, std::uint32_t bits, bool mayChain) {
        const int from = state_.periodOf(event);
        exchange_.clear(from, to);
        // A random place of the period: an event that changes places, or a free room.
        const std::span<const int> there = state_.eventsIn(to);
        const auto place = static_cast<std::size_t>(Random::scale(bits, problem_.roomCount()));
        const int other = place < there.size() ? there[place] : -1;
        const int blockers = state_.blockers(event, to);
        if (other < 0 && blockers == 0) {
            exchange_.fromFirst.push_back(event);
            return state_.isAllowed(exchange_);
        }
        if (other >= 0) {
            const int between = problem_.excludeEachOther(event, other) ? 1 : 0;
            if (blockers == between && state_.blockers(other, from) == between) {
                exchange_.fromFirst.push_back(event);
                exchange_.fromSecond.push_back(other);
                return state_.isAllowed(exchange_);
            }
        }
        return mayChain && state_.addChain(exchange_, event, mostInChain_) && state_.isAllowed(exchange_);
    }

    bool place(int event, int period) {
        if (!state_.tryPlace(event, period)) return false;
        noteIfBest();
        return true;
    }

    void noteIfBest() {
        if (std::pair(state_.distance(), state_.cost()) >= std::pair(best_.conflicts, best_.cost)) return;
        best_ = {state_.slots(), state_.distance(), state_.cost()};
    }

    const Problem& problem_;
    Random& random_;
    SearchState& state_;
    std::uint32_t chainThreshold_;
    std::size_t mostInChain_;
    std::int64_t targetCost_;
    Individual best_;
    Exchange exchange_;
};

Individual Annealer::run(SearchState& state, const AnnealingOptions& options, const Budget& budget, const StopHook& stop) {
    BudgetMeter meter(budget, stop);
    Walk walk(problem_, random_, state, options);
    coolDown(walk, options.cooling, meter);
    moves_ += meter.moves();
    return walk.takeBest();
}

}    // namespace timetabling::enrolment
