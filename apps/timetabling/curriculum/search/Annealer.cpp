#include <ferry/apps/timetabling/curriculum/search/Annealer.hpp>

#include <cmath>
#include <utility>
#include <vector>

namespace timetabling::curriculum {

/// One annealing, see coolDown(). Keeps: the problem has published places or pins. With Keeps = false the walk spends no time on them.
template <bool Keeps>
class Annealer::Walk {
public:
    Walk(const Problem& problem, Random& random, SearchState& state, const AnnealingOptions& options)
        : problem_(problem),
          random_(random),
          state_(state),
          options_(options),
          published_(problem.published()),
          best_(current()),
          offer_(options.offer),
          swapThreshold_(static_cast<std::uint32_t>(options.swapShare * 65536.0)) {
        if (!problem.hasPins()) return;
        for (int lecture = 0; lecture < problem.lectureCount(); ++lecture) {
            const Pin* pin = problem.pinOf(lecture);
            if (!pin || pin->room < 0) movable_.push_back(lecture);
        }
        isHeld_ = movable_.empty();
    }

    bool isDone() const { return isHeld_ || best_.reaches(options_.targetCost) || (options_.endsWhenFeasible && best_.isFeasible()); }

    /// Tries one move. Returns whether the move was accepted.
    bool tryMove(double temperature) {
        temperature_ = temperature;
        const std::uint64_t bits = random_.bits();
        if constexpr (Keeps) {
            if (published_ && (bits >> 16 & 1U) != 0 && !state_.displacedLectures().empty()) return tryDisplaced(bits);
        }
        const int lecture = lectureOf(static_cast<std::uint32_t>(bits >> 32));
        const std::uint64_t more = random_.bits();
        if ((bits & 0xFFFF) < swapThreshold_) return trySwap(lecture, lectureOf(static_cast<std::uint32_t>(more >> 32)));
        return tryGo(lecture, slotOf(problem_.availablePeriods(problem_.courseOf(lecture)), more));
    }

    void offerBest() { offer_.make(best_); }

    Individual takeBest() { return std::move(best_); }

private:
    int lectureOf(std::uint32_t randomBits) const {
        if (!Keeps || movable_.empty()) return Random::scale(randomBits, problem_.lectureCount());
        return movable_[static_cast<std::size_t>(Random::scale(randomBits, static_cast<int>(movable_.size())))];
    }

    /// Returns a slot with one of the periods and a random room.
    int slotOf(std::span<const int> periods, std::uint64_t bits) const {
        const int period =
            periods[static_cast<std::size_t>(Random::scale(static_cast<std::uint32_t>(bits >> 32), static_cast<int>(periods.size())))];
        return problem_.slotOf(period, Random::scale(static_cast<std::uint32_t>(bits), problem_.roomCount()));
    }

    /// Moves a displaced lecture to one of its published places, or to any other place.
    bool tryDisplaced(std::uint64_t bits) {
        const std::span<const int> displaced = state_.displacedLectures();
        const int lecture =
            displaced[static_cast<std::size_t>(Random::scale(static_cast<std::uint32_t>(bits >> 32), static_cast<int>(displaced.size())))];
        const int course = problem_.courseOf(lecture);
        const std::uint64_t more = random_.bits();
        const std::span<const int> home = published_->periodsOf(course);
        if ((bits & 1U) != 0 || home.empty()) return tryGo(lecture, slotOf(problem_.availablePeriods(course), more));
        int slot = slotOf(home, more);
        const int period = problem_.periodOfSlot(slot);
        const int room = published_->roomAt(course, period);
        if (room >= 0) slot = problem_.slotOf(period, room);
        return problem_.isAvailable(course, period) && tryGo(lecture, slot);
    }

    /// Moves the lecture to the slot. The lecture that occupies the slot goes to the old slot of the first one.
    bool tryGo(int lecture, int slot) {
        const int occupant = state_.lectureIn(slot);
        if (occupant != SearchState::Free) return occupant != SearchState::RoomIsClosed && trySwap(lecture, occupant);
        if (Keeps && !state_.doPinsLet(lecture, problem_.periodOfSlot(slot))) return false;
        if (!state_.isMoveAllowed(lecture, slot)) return false;
        Delta delta;
        delta.conflicts = state_.moveConflicts(lecture, slot);
        const std::int64_t penalty = penaltyOf(delta, [&] { return state_.moveDisplacement(lecture, slot); });
        double threshold = -1;
        if (delta.conflicts > 0) {
            threshold = drawThreshold();
            if (isHopeless(penalty, state_.mostGain(lecture), threshold)) return false;
        }
        delta.cost = state_.moveCost(lecture, slot);
        if (!isAccepted(penalty + delta.cost * options_.costWeight, threshold)) return false;
        state_.move(lecture, slot, delta);
        noteIfBest();
        return true;
    }

    // Without this attribute, compilers inline less because there are two walks. That costs a tenth of the speed.
    [[gnu::always_inline]] bool trySwap(int lectureA, int lectureB) {
        if (Keeps && !state_.doPinsLetSwap(lectureA, lectureB)) return false;
        if (!state_.isSwapAllowed(lectureA, lectureB)) return false;
        Delta delta;
        delta.conflicts = state_.swapConflicts(lectureA, lectureB);
        const std::int64_t penalty = penaltyOf(delta, [&] { return state_.swapDisplacement(lectureA, lectureB); });
        double threshold = -1;
        if (delta.conflicts > 0) {
            threshold = drawThreshold();
            if (isHopeless(penalty, state_.mostGain(lectureA) + state_.mostGain(lectureB), threshold)) return false;
        }
        delta.cost = state_.swapCost(lectureA, lectureB);
        if (!isAccepted(penalty + delta.cost * options_.costWeight, threshold)) return false;
        state_.swap(lectureA, lectureB, delta);
        noteIfBest();
        return true;
    }

    /// Draws the largest worsening of the timetable that this move may cause.
    [[gnu::always_inline]] double drawThreshold() { return -temperature_ * std::log(1.0 - random_.fraction()); }

    /// The weighted change without the soft cost.
    template <class DisplacementOf>
    std::int64_t penaltyOf(const Delta& delta, DisplacementOf displacementOf) const {
        const std::int64_t ofConflicts = std::int64_t{delta.conflicts} * options_.conflictWeight;
        if constexpr (Keeps) {
            constexpr std::int64_t prohibitive = 1'000'000'000'000'000;
            const Displacement change = displacementOf();
            const bool isLimited = options_.mostMoved >= 0 && change.count() > 0;
            if (isLimited && state_.displacement().count() + change.count() > options_.mostMoved) return prohibitive;
            return ofConflicts + options_.charges.of(change);
        }
        return ofConflicts;
    }

    /// Whether the change would be too bad even with the largest possible gain in soft cost.
    bool isHopeless(std::int64_t penalty, int mostGain, double threshold) const {
        return static_cast<double>(penalty - std::int64_t{mostGain} * options_.costWeight) > threshold;
    }

    bool isAccepted(std::int64_t total, double threshold) {
        if (total <= 0) return true;
        if (threshold < 0) threshold = drawThreshold();
        return static_cast<double>(total) <= threshold;
    }

    Individual current() const {
        const Displacement displacement = state_.displacement();
        return {state_.slots(), state_.conflicts(), state_.cost(), displacement.count(),
                published_ ? published_->charges().of(displacement) : 0};
    }

    void noteIfBest() {
        if constexpr (Keeps) {
            if (options_.front && state_.isFeasible()) options_.front->offer(state_.displacement().count(), state_.cost(), state_.slots());
        }
        if (state_.conflicts() > best_.conflicts) return;
        if (state_.conflicts() == best_.conflicts) {
            const std::int64_t charge = Keeps && published_ ? published_->charges().of(state_.displacement()) : 0;
            if (state_.cost() + charge >= best_.total()) return;
        }
        best_ = current();
        offer_.renew();
    }

    const Problem& problem_;
    Random& random_;
    SearchState& state_;
    const AnnealingOptions& options_;
    const PublishedPlaces* published_;    ///< null: no timetable was published
    std::vector<int> movable_;            ///< lectures that no pin fixes in their slot; empty without pins
    bool isHeld_ = false;                 ///< whether pins fix all lectures
    Individual best_;
    BestOffer offer_;
    std::uint32_t swapThreshold_;
    double temperature_ = 0;
};

Individual Annealer::run(SearchState& state, const AnnealingOptions& options, const Budget& budget, const StopHook& stop) {
    BudgetMeter meter(budget, stop);
    const bool keeps = problem_.published() || problem_.hasPins();
    return keeps ? walk<true>(state, options, meter) : walk<false>(state, options, meter);
}

template <bool Keeps>
Individual Annealer::walk(SearchState& state, const AnnealingOptions& options, BudgetMeter& meter) {
    Walk<Keeps> walk(problem_, random_, state, options);
    coolDown(walk, options.cooling, meter);
    moves_ += meter.moves();
    return walk.takeBest();
}

}    // namespace timetabling::curriculum
