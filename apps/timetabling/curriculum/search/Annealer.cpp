#include <ferry/apps/timetabling/curriculum/search/Annealer.hpp>

#include <cmath>
#include <utility>

namespace timetabling::curriculum {

/// The walk of one annealing, see coolDown().
class Annealer::Walk {
public:
    Walk(const Problem& problem, Random& random, SearchState& state, const AnnealingOptions& options)
        : problem_(problem),
          random_(random),
          state_(state),
          options_(options),
          best_{state.slots(), state.conflicts(), state.cost()},
          swapThreshold_(static_cast<std::uint32_t>(options.swapShare * 65536.0)) {}

    bool isDone() const { return best_.reaches(options_.targetCost) || (options_.endsWhenFeasible && best_.isFeasible()); }

    /// Tries one move; tells whether it was accepted.
    bool tryMove(double temperature) {
        temperature_ = temperature;
        const std::uint64_t bits = random_.bits();
        const int lecture = Random::scale(static_cast<std::uint32_t>(bits >> 32), problem_.lectureCount());
        const std::uint64_t more = random_.bits();
        if ((bits & 0xFFFF) < swapThreshold_) {
            return trySwap(lecture, Random::scale(static_cast<std::uint32_t>(more >> 32), problem_.lectureCount()));
        }
        const std::span<const int> periods = problem_.availablePeriods(problem_.courseOf(lecture));
        const int period =
            periods[static_cast<std::size_t>(Random::scale(static_cast<std::uint32_t>(more >> 32), static_cast<int>(periods.size())))];
        const int room = Random::scale(static_cast<std::uint32_t>(more), problem_.roomCount());
        const int slot = problem_.slotOf(period, room);
        const int occupant = state_.lectureIn(slot);
        if (occupant >= 0) return trySwap(lecture, occupant);
        if (!state_.isMoveAllowed(lecture, slot)) return false;
        Delta delta;
        delta.conflicts = state_.moveConflicts(lecture, slot);
        double threshold = -1;
        if (delta.conflicts > 0) {
            threshold = drawThreshold();
            const int gain = state_.mostGain(lecture);
            if (static_cast<double>(delta.conflicts * options_.conflictWeight - gain * options_.costWeight) > threshold) return false;
        }
        delta.cost = state_.moveCost(lecture, slot);
        if (!isAccepted(delta, threshold)) return false;
        state_.move(lecture, slot, delta);
        noteIfBest();
        return true;
    }

    Individual takeBest() { return std::move(best_); }

private:
    bool trySwap(int lectureA, int lectureB) {
        if (!state_.isSwapAllowed(lectureA, lectureB)) return false;
        Delta delta;
        delta.conflicts = state_.swapConflicts(lectureA, lectureB);
        double threshold = -1;
        if (delta.conflicts > 0) {
            threshold = drawThreshold();
            const int gain = state_.mostGain(lectureA) + state_.mostGain(lectureB);
            if (static_cast<double>(delta.conflicts * options_.conflictWeight - gain * options_.costWeight) > threshold) return false;
        }
        delta.cost = state_.swapCost(lectureA, lectureB);
        if (!isAccepted(delta, threshold)) return false;
        state_.swap(lectureA, lectureB, delta);
        noteIfBest();
        return true;
    }

    /// How much worse this move may make the timetable.
    double drawThreshold() { return -temperature_ * std::log(1.0 - random_.fraction()); }

    bool isAccepted(const Delta& delta, double threshold) {
        const std::int64_t total = std::int64_t{delta.conflicts} * options_.conflictWeight + delta.cost * options_.costWeight;
        if (total <= 0) return true;
        if (threshold < 0) threshold = drawThreshold();
        return static_cast<double>(total) <= threshold;
    }

    void noteIfBest() {
        if (state_.conflicts() > best_.conflicts || (state_.conflicts() == best_.conflicts && state_.cost() >= best_.cost)) return;
        best_ = {state_.slots(), state_.conflicts(), state_.cost()};
    }

    const Problem& problem_;
    Random& random_;
    SearchState& state_;
    const AnnealingOptions& options_;
    Individual best_;
    std::uint32_t swapThreshold_;
    double temperature_ = 0;
};

Individual Annealer::run(SearchState& state, const AnnealingOptions& options, const Budget& budget, const StopHook& stop) {
    BudgetMeter meter(budget, stop);
    Walk walk(problem_, random_, state, options);
    coolDown(walk, options.cooling, meter);
    moves_ += meter.moves();
    return walk.takeBest();
}

}    // namespace timetabling::curriculum
