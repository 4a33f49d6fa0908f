#include <ferry/apps/timetabling/search/Annealer.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace timetabling {

/// One annealing.
class Annealer::Run {
public:
    Run(const Problem& problem, Random& random, SearchState& state, const AnnealingOptions& options)
        : problem_(problem),
          random_(random),
          state_(state),
          options_(options),
          best_{state.slots(), state.conflicts(), state.cost()},
          swapThreshold_(static_cast<std::uint32_t>(options.swapShare * 65536.0)) {
        for (int course = 0; course < problem.courseCount(); ++course) {
            mostGain_.push_back(MostPeriodGain + MostCurriculumGain * static_cast<int>(problem.curriculaOf(course).size()));
        }
    }

    Individual cool(BudgetMeter& meter) {
        const double levels = std::ceil(std::log(options_.endTemperature / options_.startTemperature) / std::log(options_.coolingRate));
        temperature_ = options_.startTemperature;
        for (int levelsLeft = std::max(1, static_cast<int>(levels)); levelsLeft > 0 && !meter.hasEnded() && !isDone(); --levelsLeft) {
            stayAtLevel(meter, levelsLeft);
            temperature_ *= options_.coolingRate;
        }
        return std::move(best_);
    }

private:
    /// The most that a change of the period can gain besides the compactness, and in the compactness of one curriculum.
    static constexpr int MostPeriodGain = 6;
    static constexpr int MostCurriculumGain = 6;

    void stayAtLevel(BudgetMeter& meter, int levelsLeft) {
        std::int64_t made = 0;
        accepted_ = 0;
        while (true) {
            const std::int64_t length = std::max<std::int64_t>(1, (meter.movesLeft() + made) / levelsLeft);
            // The last level has no later one that it could save moves for.
            const double share = levelsLeft == 1 ? 1.0 : options_.acceptedShare;
            const auto mostAccepted = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(length) * share));
            const std::int64_t block = std::min(BudgetMeter::MovesPerCheck, length - made);
            if (block <= 0) return;
            std::int64_t i = 0;
            while (i < block && accepted_ < mostAccepted && !isDone()) {
                tryMove();
                ++i;
            }
            made += i;
            if (meter.hasEndedAfter(i) || accepted_ >= mostAccepted || isDone()) return;
        }
    }

    bool isDone() const { return options_.endsWhenFeasible && state_.isFeasible(); }

    void tryMove() {
        const std::uint64_t bits = random_.bits();
        const int lecture = Random::scale(static_cast<std::uint32_t>(bits >> 32), problem_.lectureCount());
        const std::uint64_t more = random_.bits();
        if ((bits & 0xFFFF) < swapThreshold_) {
            trySwap(lecture, Random::scale(static_cast<std::uint32_t>(more >> 32), problem_.lectureCount()));
            return;
        }
        const std::span<const int> periods = problem_.availablePeriods(problem_.courseOf(lecture));
        const int period =
            periods[static_cast<std::size_t>(Random::scale(static_cast<std::uint32_t>(more >> 32), static_cast<int>(periods.size())))];
        const int room = Random::scale(static_cast<std::uint32_t>(more), problem_.roomCount());
        const int slot = problem_.slotOf(period, room);
        const int occupant = state_.lectureIn(slot);
        if (occupant >= 0) {
            trySwap(lecture, occupant);
            return;
        }
        if (!state_.isMoveAllowed(lecture, slot)) return;
        Delta delta;
        delta.conflicts = state_.moveConflicts(lecture, slot);
        double threshold = -1;
        if (delta.conflicts > 0) {
            threshold = drawThreshold();
            const int course = problem_.courseOf(lecture);
            const int gain = mostGain_[static_cast<std::size_t>(course)] + seatsMissingFor(lecture);
            if (static_cast<double>(delta.conflicts * options_.conflictWeight - gain * options_.costWeight) > threshold) return;
        }
        delta.cost = state_.moveCost(lecture, slot);
        if (!isAccepted(delta, threshold)) return;
        state_.move(lecture, slot, delta);
        noteAccepted();
    }

    void trySwap(int lectureA, int lectureB) {
        if (!state_.isSwapAllowed(lectureA, lectureB)) return;
        Delta delta;
        delta.conflicts = state_.swapConflicts(lectureA, lectureB);
        double threshold = -1;
        if (delta.conflicts > 0) {
            threshold = drawThreshold();
            const int gain = mostGain_[static_cast<std::size_t>(problem_.courseOf(lectureA))] +
                             mostGain_[static_cast<std::size_t>(problem_.courseOf(lectureB))] + seatsMissingFor(lectureA) +
                             seatsMissingFor(lectureB);
            if (static_cast<double>(delta.conflicts * options_.conflictWeight - gain * options_.costWeight) > threshold) return;
        }
        delta.cost = state_.swapCost(lectureA, lectureB);
        if (!isAccepted(delta, threshold)) return;
        state_.swap(lectureA, lectureB, delta);
        noteAccepted();
    }

    int seatsMissingFor(int lecture) const {
        return problem_.missingSeats(problem_.courseOf(lecture), problem_.roomOfSlot(state_.slotOf(lecture)));
    }

    /// How much worse this move may make the timetable.
    double drawThreshold() { return -temperature_ * std::log(1.0 - random_.fraction()); }

    bool isAccepted(const Delta& delta, double threshold) {
        const std::int64_t total = std::int64_t{delta.conflicts} * options_.conflictWeight + delta.cost * options_.costWeight;
        if (total <= 0) return true;
        if (threshold < 0) threshold = drawThreshold();
        return static_cast<double>(total) <= threshold;
    }

    void noteAccepted() {
        ++accepted_;
        if (state_.conflicts() > best_.conflicts || (state_.conflicts() == best_.conflicts && state_.cost() >= best_.cost)) return;
        best_ = {state_.slots(), state_.conflicts(), state_.cost()};
    }

    const Problem& problem_;
    Random& random_;
    SearchState& state_;
    const AnnealingOptions& options_;
    Individual best_;
    std::uint32_t swapThreshold_;
    std::vector<int> mostGain_;    ///< by course: the most that leaving its period can gain
    double temperature_ = 0;
    std::int64_t accepted_ = 0;
};

Individual Annealer::run(SearchState& state, const AnnealingOptions& options, const Budget& budget, const StopHook& stop) {
    const bool cools = options.coolingRate > 0 && options.coolingRate < 1;
    const bool isWarm = std::isfinite(options.startTemperature) && options.startTemperature > 0 && options.endTemperature > 0;
    if (!cools || !isWarm) throw std::invalid_argument("an annealing needs temperatures above 0 and a cooling rate between 0 and 1");
    BudgetMeter meter(budget, stop);
    Individual best = Run(problem_, random_, state, options).cool(meter);
    moves_ += meter.moves();
    return best;
}

}    // namespace timetabling
