#include <ferry/connector/transport/simulation/Simulation.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/transport/requireDuration.hpp>
#include <ferry/connector/transport/simulation/SimulatedDeadlock.hpp>
#include <ferry/connector/transport/simulation/SimulatedFault.hpp>
#include <ferry/connector/transport/simulation/SimulatedTransport.hpp>
#include <ferry/connector/transport/simulation/SimulationLimitReached.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

namespace {

// One call in this number gives the turn to another rank. The seed chooses one of the numbers.
constexpr std::array<std::uint64_t, 4> switchesOneIn{1, 2, 8, 32};
// One rest in this number ends at once. A rank that rests may find that there was no reason to wake up.
constexpr std::uint64_t idleWakeOneIn = 16;

// A clock that goes ten times as slowly as others still goes.
constexpr int mostDrift = 900;
constexpr std::chrono::hours longestFault{24 * 366};
constexpr std::uint64_t apartFromTheNetwork = 0xc10c;

int checkedRankCount(int rankCount) {
    if (rankCount <= 0) throw UsageError(fmt::format("a simulation needs at least one rank, not {}", rankCount));
    return rankCount;
}

}    // namespace

Simulation::Simulation(int rankCount, SimulationOptions options)
    : options_(std::move(options)),
      random_(options_.seed),
      network_(checkedRankCount(rankCount), SeededRandom(random_.next()), options_.packetDelay),
      ranks_(static_cast<std::size_t>(rankCount)),
      turns_(rankCount + 1),
      switchOneIn_(switchesOneIn[random_.below(switchesOneIn.size())]) {
    requireDuration("SimulationOptions::callTime", options_.callTime);
    requireDuration("SimulationOptions::maxTime", options_.maxTime);
    requireDuration("SimulationOptions::tellsDeathsWithin", options_.tellsDeathsWithin);
    if (options_.packetDelay && options_.packetDelay->count() <= 0)
        throw UsageError(fmt::format("SimulationOptions::packetDelay must be 1 us or more, found {} us", options_.packetDelay->count()));
    for (const Fault& fault : options_.faults) {
        if (fault.rank < 0 || fault.rank >= rankCount)
            throw UsageError(fmt::format("a fault on rank {}, but there are {} ranks", fault.rank, rankCount));
        if (fault.atCall == 0) throw UsageError(fmt::format("a fault on rank {} at call 0, but calls are counted from 1", fault.rank));
        requireDuration("Fault::length", fault.length);
        if (fault.length > longestFault) throw UsageError("Fault::length must be at most a year");
    }
    if (options_.clockDrift < 0 || options_.clockDrift > mostDrift)
        throw UsageError(fmt::format("SimulationOptions::clockDrift must be from 0 to {}, found {}", mostDrift, options_.clockDrift));
    SeededRandom clocks(options_.seed ^ apartFromTheNetwork);
    for (Rank& each : ranks_)
        each.clockRate += static_cast<int>(clocks.below(2 * static_cast<std::uint64_t>(options_.clockDrift) + 1)) - options_.clockDrift;
}

std::unique_ptr<Transport> Simulation::transport(int rank) {
    std::unique_ptr<Transport> plain = std::make_unique<SimulatedTransport>(*this, rank);
    return options_.decorate ? options_.decorate(std::move(plain)) : std::move(plain);
}

std::vector<Simulation::Ending> Simulation::run(const std::function<void(int)>& part) {
    if (std::exchange(hasRun_, true)) throw UsageError("a Simulation runs once: make a new one for another run");
    const int mainThread = size();
    const int processor = platform::currentProcessor();
    constexpr int few = 256;
    if (size() > few) platform::makeRoomForWaits(size());
    std::vector<Ending> endings(ranks_.size());
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size(); ++rank) {
        ready_.push_back(rank);
        threads.emplace_back([&, rank] {
            platform::stayOnProcessor(processor);    // threads that run one at a time hand over ten times faster on one processor
            runPart(rank, part, endings[static_cast<std::size_t>(rank)]);
        });
    }
    passTurn(mainThread);
    for (std::thread& thread : threads) thread.join();
    return endings;
}

void Simulation::runPart(int rank, const std::function<void(int)>& part, Ending& ending) {
    turns_.await(rank);
    setRankOfThisThread(rank);
    trace_.add(timeUs_, rank, Event::Start);
    try {
        part(rank);
    } catch (const RankEnding&) {
    } catch (ForcedUnwind&) {
        throw;
    } catch (...) {
        ending.exception = std::current_exception();
    }
    Rank& rankState = own(rank);
    ending.how = rankState.how != RankEnd::Returned ? rankState.how : ending.exception ? RankEnd::Threw : RankEnd::Returned;
    if (ending.how != RankEnd::Threw) ending.exception = nullptr;
    ending.callCount = rankState.callCount;
    ending.isGivenUp = rankState.isGivenUp;
    rankState.how = ending.how;
    const bool didWatch = watches(rank);
    rankState.hasEnded = true;
    if (didWatch) handWatchOn();
    ++endedCount_;
    network_.close(rank);
    trace_.add(timeUs_, rank, Event::End);
    turns_.give(chooseNext(rank));
}

void Simulation::enter(int rank) {
    throwIfOver(rank);
    ++own(rank).callCount;
    timeUs_ += options_.callTime.count();
    if (++callCount_ > options_.maxCalls || timeUs_ > options_.maxTime.count()) {
        trace_.add(timeUs_, rank, Event::Limit);
        stop(Stop::Limit, fmt::format("the simulation has not ended after {} calls and {} us:{}", callCount_, timeUs_, describeRanks()));
        throwIfOver(rank);
    }
    arriveDue();
    if (random_.oneIn(switchOneIn_)) {
        ready_.push_back(rank);
        passTurn(rank);
        throwIfOver(rank);
    }
    meetFaults(rank);
}

void Simulation::throwIfOver(int rank) const {
    if (own(rank).isKilled) throw RankEnding{RankEnd::Killed};
    if (own(rank).isLeaving) throw RankEnding{RankEnd::Left};
    switch (stop_) {
        case Stop::None: return;
        case Stop::Deadlock: throw SimulatedDeadlock(stopText_);
        case Stop::Limit: throw SimulationLimitReached(stopText_);
        case Stop::Abort: throw RankEnding{RankEnd::Aborted};
    }
}

void Simulation::meetFaults(int rank) {
    if (timeUs_ >= own(rank).endsAtUs && !own(rank).isKilled) kill(rank);
    for (const Fault& fault : options_.faults) {
        if (fault.rank != rank || fault.atCall != own(rank).callCount) continue;
        switch (fault.kind) {
            case Fault::Kind::Throw:
                trace_.add(timeUs_, rank, Event::Throw);
                if (fault.exception) std::rethrow_exception(fault.exception);
                throw SimulatedFault(fmt::format("call {} of the transport fails", fault.atCall));
            case Fault::Kind::Leave:
                trace_.add(timeUs_, rank, Event::Leave);
                own(rank).how = RankEnd::Left;
                own(rank).isLeaving = true;
                break;
            case Fault::Kind::Kill:
                kill(rank);
                noteDeath(rank);
                break;
            case Fault::Kind::Silence:
                trace_.add(timeUs_, rank, Event::Silence);
                noteDeath(rank);
                break;
            case Fault::Kind::Pause:
                trace_.add(timeUs_, rank, Event::Pause);
                pause(rank, fault.length.count());
                break;
            case Fault::Kind::Leap:
                trace_.add(timeUs_, rank, Event::Leap);
                own(rank).clockAheadUs += fault.length.count();
                break;
        }
    }
    throwIfOver(rank);
}

/// Lets time pass in which the rank does nothing. Packets, news and wake() wait until the pause is over.
void Simulation::pause(int rank, std::int64_t lengthUs) {
    Rank& state = own(rank);
    state.pausesUntilUs = timeUs_ + lengthUs;
    state.restsUntilUs = state.pausesUntilUs;
    letRest(rank);
    passTurn(rank);
    if (timeUs_ >= state.endsAtUs && !state.isKilled) kill(rank);
}

/// Whether nothing but the end of its pause, its death or the end of the simulation lets the rank go on.
bool Simulation::isPausing(int rank) const noexcept {
    return stop_ == Stop::None && timeUs_ < std::min(own(rank).pausesUntilUs, own(rank).endsAtUs);
}

std::chrono::microseconds Simulation::timeOf(int rank) const noexcept {
    const Rank& state = own(rank);
    return std::chrono::microseconds(timeUs_ / ordinaryRate * state.clockRate + timeUs_ % ordinaryRate * state.clockRate / ordinaryRate +
                                     state.clockAheadUs);
}

void Simulation::kill(int rank) {
    trace_.add(timeUs_, rank, Event::Kill);
    own(rank).isKilled = true;
    own(rank).how = RankEnd::Killed;
    network_.close(rank);
    for (const auto& [to, packet] : network_.loseSomeFrom(rank, timeUs_))
        trace_.add(timeUs_, rank, Event::Lose, to, packet.channel, packet.ints.ints());
}

void Simulation::die(int rank) {
    enter(rank);
    kill(rank);
    noteDeath(rank);
    throw RankEnding{RankEnd::Killed};
}

/// Whether the rank is the one that hears of the deaths of others: the lowest that is left.
bool Simulation::watches(int rank) const noexcept {
    const auto isLeft = [this](int one) { return !own(one).hasEnded && !own(one).isKilled && !own(one).isGivenUp; };
    for (int lower = 0; lower < rank; ++lower) {
        if (isLeft(lower)) return false;
    }
    return isLeft(rank);
}

/// Plans when a rank hears of the death of another one.
void Simulation::tell(int rank, int of) {
    const auto withinUs = static_cast<std::uint64_t>(std::max<std::int64_t>(options_.tellsDeathsWithin.count(), 0)) + 1;
    own(rank).news.push_back({timeUs_ + static_cast<std::int64_t>(random_.below(withinUs)), of});
    planAgain(rank);
}

/// Lets the rank that watches from now on hear of all that have died.
void Simulation::handWatchOn() {
    if (!tellsDeaths()) return;
    for (int rank = 0; rank < size(); ++rank) {
        if (!watches(rank)) continue;
        for (int other = 0; other < size(); ++other) {
            if (own(other).isGivenUp) tell(rank, other);
        }
        return;
    }
}

/// Plans when other ranks hear of the death. The rank that watches hears of all others, and all others hear of the rank that watches. A
/// rank that is only taken for dead dies after that.
void Simulation::noteDeath(int rank) {
    if (!tellsDeaths() || own(rank).isGivenUp) return;
    const bool isKilled = std::exchange(own(rank).isKilled, false);
    const bool didWatch = watches(rank);
    own(rank).isKilled = isKilled;
    own(rank).isGivenUp = true;
    for (int other = 0; other < size(); ++other) {
        if (other != rank && (didWatch || watches(other))) tell(other, rank);
    }
    if (didWatch) handWatchOn();
    if (isKilled) return;
    std::int64_t lastUs = timeUs_;
    for (const Rank& other : ranks_) {
        for (const News& one : other.news) lastUs = std::max(lastUs, one.of == rank ? one.atUs : lastUs);
    }
    const auto withinUs = static_cast<std::uint64_t>(std::max<std::int64_t>(options_.tellsDeathsWithin.count(), 0)) + 1;
    own(rank).endsAtUs = lastUs + static_cast<std::int64_t>(random_.below(withinUs));
}

std::int64_t Simulation::nextTellingUs(int rank) const noexcept {
    std::int64_t nextUs = SimulatedNetwork::Never;
    for (const News& one : own(rank).news) nextUs = std::min(nextUs, one.atUs);
    return nextUs;
}

std::optional<Loss> Simulation::nextLoss(int rank) {
    std::vector<News>& news = own(rank).news;
    const auto due = std::find_if(news.begin(), news.end(), [this](const News& one) { return one.atUs <= timeUs_; });
    if (due == news.end()) return std::nullopt;
    const int lost = due->of;
    news.erase(due);
    trace_.add(timeUs_, rank, Event::Learn, lost, Channel::Control, {});
    return Loss{lost, own(lost).isKilled ? "was killed" : "does not answer"};
}

void Simulation::stop(Stop why, std::string text) {
    stop_ = why;
    stopText_ = std::move(text);
    for (int rank = 0; rank < size(); ++rank) makeReady(rank);
}

std::string Simulation::describeRanks() const {
    std::string text;
    for (int rank = 0; rank < size(); ++rank) text += fmt::format("\n  rank {} {}", rank, describe(rank));
    return text;
}

std::string Simulation::describe(int rank) const {
    const Rank& state = own(rank);
    if (state.isKilled) return "was killed";
    if (state.how == RankEnd::Left) return "has left";
    if (state.how == RankEnd::Threw) return "ended by an exception";
    if (state.hasEnded) return "has returned";
    if (!state.isResting) return "works";
    try {
        if (state.waitText != nullptr) return "waits for " + (*state.waitText)();
    } catch (...) {
        // Without memory for the text the rank is named all the same.
    }
    return "waits";
}

void Simulation::send(int rank, int to, Channel channel, IntBuffer ints) {
    enter(rank);
    trace_.add(timeUs_, rank, Event::Send, to, channel, ints.ints());
    network_.send(to, Packet{rank, channel, std::move(ints)}, timeUs_);
}

std::optional<Packet> Simulation::poll(int rank) {
    enter(rank);
    std::optional<Packet> packet = network_.take(rank);
    if (!packet) return packet;
    trace_.add(timeUs_, rank, Event::Take, packet->from, packet->channel, packet->ints.ints());
    noteMoved(packet->from);
    return packet;
}

void Simulation::rest(int rank, std::chrono::microseconds atMost) {
    enter(rank);
    Rank& rankState = own(rank);
    const bool awaitsSends = std::exchange(rankState.awaitsSends, false);
    const bool haveSendsMoved = std::exchange(rankState.haveSendsMoved, false);
    if (awaitsSends && haveSendsMoved) return;
    if (network_.hasPacketFor(rank) || nextTellingUs(rank) <= timeUs_ || rankState.isWoken.exchange(false) || random_.oneIn(idleWakeOneIn))
        return;
    trace_.add(timeUs_, rank, Event::Rest);
    rankState.restsUntilUs = endOfRest(rank, atMost.count());
    letRest(rank);
    rankState.awaitsSends = awaitsSends;
    passTurn(rank);
    rankState.awaitsSends = false;
    rankState.haveSendsMoved = false;
    if (timeUs_ >= rankState.endsAtUs && !rankState.isKilled) kill(rank);
    throwIfOver(rank);
}

/// The simulated time at which a rest of this length on the rank's clock is over.
std::int64_t Simulation::endOfRest(int rank, std::int64_t atMostUs) const noexcept {
    const int rate = own(rank).clockRate;
    if (atMostUs >= (SimulatedNetwork::Never - timeUs_) / ordinaryRate) return SimulatedNetwork::Never;
    return timeUs_ + (atMostUs * ordinaryRate + rate - 1) / rate;
}

std::size_t Simulation::noteAsked(int rank, std::size_t count) noexcept {
    if (count > 0) own(rank).awaitsSends = true;
    return count;
}

void Simulation::wake(int rank) noexcept {
    own(rank).isWoken = true;
    isAnyWoken_ = true;
}

void Simulation::abort(int rank, int exitStatus) {
    throwIfOver(rank);
    trace_.add(timeUs_, rank, Event::Abort);
    abortStatus_ = exitStatus;
    for (Rank& other : ranks_) {
        if (!other.hasEnded && !other.isKilled) other.how = RankEnd::Aborted;
    }
    stop(Stop::Abort, {});
    throw RankEnding{RankEnd::Aborted};
}

void Simulation::arriveDue() {
    while (const auto arrival = network_.arriveNext(timeUs_)) {
        const Packet& packet = arrival->packet;
        trace_.add(timeUs_, arrival->to, arrival->isDropped ? Event::Drop : Event::Arrive, packet.from, packet.channel, packet.ints.ints());
        makeReady(arrival->to);
        noteMoved(packet.from);
    }
}

/// Ends the rests whose time is over, and the rests that wake() has ended.
void Simulation::wakeDue() {
    const bool isAnyWoken = isAnyWoken_.exchange(false);
    std::vector<int> due;
    for (auto next = planned_.begin(); next != planned_.end() && next->first <= timeUs_; ++next) due.push_back(next->second);
    for (int rank = 0; isAnyWoken && rank < size(); ++rank) {
        const bool isDue = own(rank).plannedUs <= timeUs_;
        if (own(rank).isResting && !isDue && !isPausing(rank) && own(rank).isWoken.exchange(false)) due.push_back(rank);
    }
    std::sort(due.begin(), due.end());    // the order in which ranks came to rest decides nothing
    for (const int rank : due) makeReady(rank);
}

void Simulation::letRest(int rank) {
    own(rank).isResting = true;
    planAgain(rank);
}

/// The time in microseconds at which the rank's rest ends, if nothing comes.
std::int64_t Simulation::dueUs(int rank) const noexcept {
    if (isPausing(rank)) return std::min(own(rank).pausesUntilUs, own(rank).endsAtUs);
    return std::min({own(rank).restsUntilUs, nextTellingUs(rank), own(rank).endsAtUs});
}

/// Plans the end of the rank's rest anew. A rank that does not rest has no planned end.
void Simulation::planAgain(int rank) {
    Rank& state = own(rank);
    if (state.plannedUs != SimulatedNetwork::Never) planned_.erase({state.plannedUs, rank});
    state.plannedUs = state.isResting ? dueUs(rank) : SimulatedNetwork::Never;
    if (state.plannedUs != SimulatedNetwork::Never) planned_.emplace(state.plannedUs, rank);
}

void Simulation::makeReady(int rank) {
    if (!own(rank).isResting || isPausing(rank)) return;
    own(rank).isResting = false;
    planAgain(rank);
    ready_.push_back(rank);
}

/// Notes that one of the sender's packets has moved on.
void Simulation::noteMoved(int sender) {
    Rank& state = own(sender);
    if (!state.awaitsSends) return;
    state.haveSendsMoved = true;
    makeReady(sender);
}

/// Lets another rank run, or the same one. Returns when the calling thread has the turn again.
void Simulation::passTurn(int rank) {
    const int next = chooseNext(rank);
    if (next == rank) return;
    turns_.give(next);
    turns_.await(rank);
}

/// Returns the rank that runs next; when all ranks have ended, the thread of run(). When all ranks rest, time passes.
int Simulation::chooseNext(int rank) {
    for (;;) {
        arriveDue();
        wakeDue();
        if (!ready_.empty()) {
            std::swap(ready_[random_.below(ready_.size())], ready_.back());
            const int next = ready_.back();
            ready_.pop_back();
            return next;
        }
        if (endedCount_ == size()) return size();
        const std::int64_t nextUs = nextEventUs();
        if (nextUs == SimulatedNetwork::Never) {
            trace_.add(timeUs_, rank, Event::Deadlock);
            stop(Stop::Deadlock, fmt::format("no rank can go on, and nothing is under way:{}", describeRanks()));
        } else {
            timeUs_ = nextUs;
        }
    }
}

std::int64_t Simulation::nextEventUs() const noexcept {
    const std::int64_t nextUs = network_.nextArrivalUs();
    return planned_.empty() ? nextUs : std::min(nextUs, planned_.begin()->first);
}

}    // namespace ferry::detail
