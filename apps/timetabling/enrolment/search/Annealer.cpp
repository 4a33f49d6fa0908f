#include <ferry/apps/timetabling/enrolment/search/Annealer.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace timetabling::enrolment {

double studentsPerEvent(const Problem& problem) {
    std::size_t attendances = 0;
    for (const std::vector<int>& events : problem.instance().eventsOfStudent) attendances += events.size();
    return std::max(1.0, static_cast<double>(attendances) / static_cast<double>(problem.eventCount()));
}

AnnealingOptions AnnealingOptions::forProblem(const Problem& problem) {
    // A move changes the days of the students of an event. So the change in cost grows with the number of students per event.
    const double students = studentsPerEvent(problem);
    AnnealingOptions options;
    options.cooling.acceptedShare = 1;
    if (problem.instance().hasSecondRules) {
        // Closed periods and precedences leave few single moves. Chains find ways between them.
        options.cooling.startTemperature = 2 * students;
        options.cooling.endTemperature = 0.035 * students;
        options.cooling.coolingRate = 0.995;
        options.cooling.acceptedShare = 0.05;
        options.chainShare = 0.3;
    } else {
        options.cooling.startTemperature = 0.35 * students;
        // A higher final temperature would keep the search away from timetables of cost close to 0, where these exist.
        options.cooling.endTemperature = 0.015 * students;
    }
    return options;
}

/// The walk of one annealing, see coolDown(). Keeps: the problem has published places or pins. With Keeps = false the walk spends no time
/// on them.
template <bool Keeps>
class Annealer::Walk {
public:
    Walk(const Problem& problem, Random& random, SearchState& state, const AnnealingOptions& options)
        : problem_(problem),
          random_(random),
          state_(state),
          chainThreshold_(static_cast<std::uint32_t>(options.chainShare * 65536.0)),
          mostInChain_(options.mostInChain),
          targetCost_(options.targetCost),
          costWeight_(options.costWeight),
          charges_(options.charges),
          best_(state.individual()),
          offer_(options.offer) {
        if constexpr (!Keeps) return;
        for (int event = 0; event < problem.eventCount(); ++event) {
            if (!problem.isPinned(event)) movable_.push_back(event);
        }
    }

    bool isDone() const { return best_.reaches(targetCost_) || (Keeps && movable_.empty()); }

    /// Tries one move. Returns whether the move was accepted.
    bool tryMove(double temperature) {
        const std::uint64_t bits = random_.bits();
        if constexpr (Keeps) {
            if (state_.displaced() && (bits >> 16 & 1U) != 0 && !state_.displaced()->events().empty())
                return tryDisplaced(bits, temperature);
        }
        const int event = eventOf(static_cast<std::uint32_t>(bits >> 32));
        return tryGo(event, random_.bits(), (bits & 0xFFFF) < chainThreshold_, temperature);
    }

    void offerBest() { offer_.make(best_); }

    Individual takeBest() { return std::move(best_); }

private:
    int eventOf(std::uint32_t randomBits) const {
        if constexpr (Keeps) return drawn(movable_, randomBits);
        return Random::scale(randomBits, problem_.eventCount());
    }

    static int drawn(std::span<const int> values, std::uint32_t randomBits) {
        return values[static_cast<std::size_t>(Random::scale(randomBits, static_cast<int>(values.size())))];
    }

    /// Moves the event to a random period that is open to it.
    bool tryGo(int event, std::uint64_t bits, bool mayChain, double temperature) {
        const std::span<const int> open = problem_.openPeriods(event);
        if (open.empty()) return false;
        const int to = drawn(open, static_cast<std::uint32_t>(bits >> 32));
        return tryGoTo(event, to, static_cast<std::uint32_t>(bits), mayChain, temperature);
    }

    bool tryGoTo(int event, int to, std::uint32_t bits, bool mayChain, double temperature) {
        const int from = state_.periodOf(event);
        if (from == to) return false;
        if (from < 0) return place(event, to);
        if (!choose(event, to, bits, mayChain)) return false;
        if constexpr (Keeps) {
            if (state_.displaced()) return tryKeeping(temperature);
        }
        const int cost = state_.costOf(exchange_);
        if (!isAccepted(cost, temperature) || !state_.tryApply(exchange_, cost)) return false;
        noteIfBest();
        return true;
    }

    /// Makes the exchange if it is good enough, displaced events included. The rooms are checked last, because that takes the most time.
    bool tryKeeping(double temperature) {
        const double threshold = -temperature * std::log(1.0 - random_.fraction());
        const std::int64_t least = charges_.of(state_.leastDisplacementOf(exchange_));
        if (costWeight_ == 0 && static_cast<double>(least) > threshold) return false;
        const int cost = state_.costOf(exchange_);
        const std::int64_t counted = std::int64_t{costWeight_} * cost;
        if (static_cast<double>(counted + least) > threshold) return false;
        const std::optional<Displacement> change = state_.displacementOf(exchange_);
        if (!change || static_cast<double>(counted + charges_.of(*change)) > threshold) return false;
        state_.apply(exchange_, cost);
        noteIfBest();
        return true;
    }

    /// Moves a displaced event back to its period, or to any other period.
    /// When another event occupies the published room of the event, that event moves instead.
    bool tryDisplaced(std::uint64_t bits, double temperature) {
        const int event = drawn(state_.displaced()->events(), static_cast<std::uint32_t>(bits >> 32));
        const std::uint64_t more = random_.bits();
        if ((bits >> 17 & 1U) != 0) return tryGo(event, more, true, temperature);
        const Place& home = problem_.published()->placeOf(event);
        if (state_.periodOf(event) != home.period)
            return problem_.isOpen(event, home.period) && tryGoTo(event, home.period, static_cast<std::uint32_t>(more), true, temperature);
        const int occupant = home.room < problem_.roomCount() ? state_.eventIn(home.period, home.room) : -1;
        return occupant >= 0 && tryGo(occupant, more, true, temperature);
    }

    bool isAccepted(std::int64_t worse, double temperature) {
        return worse <= 0 || static_cast<double>(worse) <= -temperature * std::log(1.0 - random_.fraction());
    }

    /// Looks for an exchange that moves the event to the period and breaks no rule. Returns whether there is one; it is then in
    /// exchange_.
    bool choose(int event, int to, std::uint32_t bits, bool mayChain) {
        const int from = state_.periodOf(event);
        exchange_.clear(from, to);
        // The random number selects a place of the period: an event, which changes places, or a free room.
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
        const std::int64_t charge = Keeps ? state_.charge() : 0;
        if (std::pair(state_.distance(), state_.cost() + charge) >= std::pair(best_.conflicts, best_.total())) return;
        best_ = state_.individual();
        offer_.renew();
    }

    const Problem& problem_;
    Random& random_;
    SearchState& state_;
    std::uint32_t chainThreshold_;
    std::size_t mostInChain_;
    std::int64_t targetCost_;
    int costWeight_;
    DisplacementCharges charges_;
    std::vector<int> movable_;    ///< the events without a pin; used only with Keeps
    Individual best_;
    BestOffer offer_;
    Exchange exchange_;
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

}    // namespace timetabling::enrolment
