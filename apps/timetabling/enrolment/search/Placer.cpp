#include <ferry/apps/timetabling/enrolment/search/Placer.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace timetabling::enrolment {

namespace {

constexpr int MostTried = 24;    ///< greatest number of left-out events that one iteration looks at

// Numbers of iterations.
constexpr int ShortestTabu = 10;
constexpr int TabuSpread = 10;
constexpr double TabuPerUnplaced = 0.6;
constexpr int IterationsPerShake = 2000;    ///< iterations without a better timetable before a shake
constexpr int ChainsPerShake = 2000;

constexpr std::int64_t MovesPerIteration = 500;    ///< an iteration takes about as long as this number of moves

constexpr std::size_t MostInChain = 1000;    ///< in effect no limit: two periods hold fewer events

std::size_t cell(int event, int period) { return static_cast<std::size_t>(event) * PeriodCount + static_cast<std::size_t>(period); }

/// The two numbers to minimise.
std::pair<std::int64_t, std::size_t> lackOf(const SearchState& state) { return {state.distance(), state.unplaced().size()}; }

}    // namespace

Placer::Placer(SearchState& state, std::uint64_t seed)
    : state_(state),
      problem_(state.problem()),
      random_(seed),
      tabuUntil_(static_cast<std::size_t>(problem_.eventCount()) * PeriodCount, 0) {}

Slots Placer::run(const Budget& budget, const StopHook& stop) {
    constexpr std::int64_t IterationsPerCheck = 64;
    BudgetMeter meter(budget, stop);
    placeFree();
    Slots best = state_.slots();
    auto least = lackOf(state_);
    std::int64_t bestIteration = 0;
    while (!state_.unplaced().empty() && !meter.hasEnded()) {
        for (std::int64_t i = 0; i < IterationsPerCheck && !state_.unplaced().empty(); ++i) {
            ++iteration_;
            place(choose());
            if (lackOf(state_) < least) {
                least = lackOf(state_);
                bestIteration = iteration_;
                best = state_.slots();
            } else if ((iteration_ - bestIteration) % IterationsPerShake == 0) {
                shake();
            }
        }
        meter.hasEndedAfter(IterationsPerCheck * MovesPerIteration);
    }
    return best;
}

std::int64_t Placer::moves() const { return iteration_ * MovesPerIteration; }

/// Places all events that fit without a change of the other events.
void Placer::placeFree() {
    std::vector<int> left(state_.unplaced().begin(), state_.unplaced().end());
    random_.shuffle(left);
    while (!left.empty()) {
        std::size_t chosen = 0;
        std::ptrdiff_t fewest = std::numeric_limits<std::ptrdiff_t>::max();
        for (std::size_t i = 0; i < left.size(); ++i) {
            const std::span<const int> open = problem_.openPeriods(left[i]);
            const auto count = std::count_if(open.begin(), open.end(), [&](int period) { return state_.blockers(left[i], period) == 0; });
            if (count >= fewest) continue;
            fewest = count;
            chosen = i;
        }
        placeAnywhere(left[chosen]);
        left[chosen] = left.back();
        left.pop_back();
    }
}

bool Placer::placeAnywhere(int event) {
    const std::span<const int> open = problem_.openPeriods(event);
    const int first = open.empty() ? 0 : random_.below(static_cast<int>(open.size()));
    for (std::size_t i = 0; i < open.size(); ++i) {
        if (state_.tryPlace(event, open[(i + static_cast<std::size_t>(first)) % open.size()])) return true;
    }
    return false;
}

/// Returns the event and period that evict the fewest other events. Draws lots among equals.
Placer::Candidate Placer::choose() {
    Candidate best;
    int fewest = std::numeric_limits<int>::max();
    int equals = 0;
    const std::span<const int> unplaced = state_.unplaced();
    const int count = static_cast<int>(unplaced.size());
    const int first = random_.below(count);
    for (int i = 0; i < std::min(count, MostTried); ++i) {
        const int event = unplaced[static_cast<std::size_t>((first + i) % count)];
        if (problem_.suitableRooms(event).empty()) continue;
        for (const int period : problem_.openPeriods(event)) {
            if (state_.blockers(event, period) > fewest) continue;
            const int ejected = countEjected(event, period);
            if (ejected > fewest || (ejected > 0 && tabuUntil_[cell(event, period)] > iteration_)) continue;
            equals = ejected < fewest ? 1 : equals + 1;
            fewest = ejected;
            if (random_.below(equals) == 0) best = {event, period};
        }
    }
    return best;
}

int Placer::countEjected(int event, int period) {
    int count = state_.blockers(event, period);
    for (const int other : problem_.earlierThan(event)) count += state_.periodOf(other) > period ? 1 : 0;
    for (const int other : problem_.laterThan(event)) count += state_.periodOf(other) >= 0 && state_.periodOf(other) < period ? 1 : 0;
    return count == 0 && !state_.hasRoomFor(event, period) ? 1 : count;
}

void Placer::place(const Candidate& candidate) {
    const auto& [event, period] = candidate;
    if (event < 0) return;
    const std::span<const int> there = state_.eventsIn(period);
    for (std::size_t i = there.size(); i-- > 0;) {
        // The removed event is replaced in the list by an event that has been looked at already.
        const int other = state_.eventsIn(period)[i];
        if (problem_.excludeEachOther(event, other)) eject(other, period);
    }
    for (const int other : problem_.earlierThan(event)) {
        if (state_.periodOf(other) > period) eject(other, state_.periodOf(other));
    }
    for (const int other : problem_.laterThan(event)) {
        if (state_.periodOf(other) >= 0 && state_.periodOf(other) < period) eject(other, state_.periodOf(other));
    }
    makeRoom(candidate);
    state_.tryPlace(event, period);
}

void Placer::makeRoom(const Candidate& candidate) {
    if (state_.hasRoomFor(candidate.event, candidate.period)) return;
    const std::span<const int> there = state_.eventsIn(candidate.period);
    const int first = random_.below(static_cast<int>(there.size()));
    for (std::size_t i = 0; i < there.size(); ++i) {
        const int other = there[(i + static_cast<std::size_t>(first)) % there.size()];
        if (problem_.isPinned(other) || !state_.hasRoomFor(candidate.event, candidate.period, {&other, 1})) continue;
        eject(other, candidate.period);
        return;
    }
}

void Placer::eject(int event, int period) {
    state_.remove(event);
    const auto more = static_cast<std::int64_t>(TabuPerUnplaced * static_cast<double>(state_.unplaced().size()));
    tabuUntil_[cell(event, period)] = iteration_ + ShortestTabu + random_.below(TabuSpread) + more;
}

/// Lets chains of placed events change places.
void Placer::shake() {
    for (int i = 0; i < ChainsPerShake; ++i) {
        const int event = random_.below(problem_.eventCount());
        const int period = random_.below(PeriodCount);
        if (state_.periodOf(event) < 0 || state_.periodOf(event) == period) continue;
        exchange_.clear(state_.periodOf(event), period);
        if (!state_.addChain(exchange_, event, MostInChain) || !state_.isAllowed(exchange_)) continue;
        state_.tryApply(exchange_, state_.costOf(exchange_));
    }
}

}    // namespace timetabling::enrolment
