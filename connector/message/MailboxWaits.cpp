// The waits of the mailbox. All of them are one loop.
#include <ferry/connector/message/Mailbox.hpp>

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/transport/Backoff.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

// Number of letters between two looks at the time of a rank that is never idle.
constexpr unsigned lettersPerLook = 64;
// Looks at the transport that must find nothing before a deadline counts. A transport may need some looks to bring in an arrived packet.
constexpr unsigned looksBeforeTimeout = 8;

// Limit of looks for memory at the end of a job or guarded region, where other ranks wait: about ten seconds.
constexpr int mostStepsWithoutMemory = 1000;

// Speed of a copy. A sender waits for its receiver as long as a copy of the ints would take, and then copies them.
constexpr std::size_t bytesPerNanosecond = 4;

/// Offers the borrowed arrays of a packet. The offer ends with this object at the latest.
class OfferScope {
public:
    OfferScope(Transport& transport, int to, IntBuffer ints) : transport_(transport) { transport.startOffer(to, std::move(ints)); }
    OfferScope(const OfferScope&) = delete;
    OfferScope& operator=(const OfferScope&) = delete;
    ~OfferScope() {
        try {
            transport_.closeOffer();
        } catch (...) {
            // The transport has failed; its next use throws that. Nothing is on offer any more.
        }
    }

private:
    Transport& transport_;
};

class LentScope {
public:
    LentScope(const Filter*& place, const Filter& filter) noexcept : place_(place) { place = &filter; }
    LentScope(const LentScope&) = delete;
    LentScope& operator=(const LentScope&) = delete;
    ~LentScope() { place_ = nullptr; }

private:
    const Filter*& place_;
};

struct EndOfWait {
    Standstill& standstill;
    ~EndOfWait() { standstill.noteEndOfWait(); }
};

}    // namespace

/// The one loop of all waits. After each step it calls isReached(letter) with the letter of the step, if any, which isReached may take.
/// False when the time is over.
template <class IsReached, class Description>
bool Mailbox::wait(const Wait& wait, const IsReached& isReached, const Description& describe) {
    const OneThread::Call call(*thread_);
    if (isWithinStep()) {
        throw UsageError("operators, and what writes and reads values, must not wait in the connector: they run while it waits itself");
    }
    Standstill& search = outermost().standstill_;
    const EndOfWait end{search};
    const bool mayStandStill = search.isOn() && wait.dependsOnOthers();
    Backoff backoff;
    unsigned letterCount = 0;
    int stepsWithoutMemory = 0;
    unsigned looksLeft = transport_.hasVirtualTime() ? 1 : looksBeforeTimeout;
    for (;;) {
        Step arrived;
        bool isOver = false;
        try {
            arrived = step();
            isOver = isReached(arrived.letter);
            keep(arrived.letter);
        } catch (const std::bad_alloc&) {
            // A later step takes in what has come. A wait that no exception may interrupt goes on: other ranks count on this rank there.
            if (wait.isInterruptible() || ++stepsWithoutMemory == mostStepsWithoutMemory) throw;
        }
        if (isOver) return true;
        if (wait.isInterruptible()) throwIfDue();
        search.throwIfStuck();
        if (arrived.hasArrived) {
            backoff.reset();
            if (++letterCount % lettersPerLook == 0 && isPast(wait.until)) return false;
            continue;
        }
        if (wait.filter != nullptr) throwIfNobodyCanSend(*wait.filter);
        if (looksLeft > 1) {
            --looksLeft;
        } else if (isPast(wait.until)) {
            return false;
        }
        Clock::time_point wakeAt = wait.until;
        const bool isLong = backoff.isResting() || transport_.hasVirtualTime();
        if (isLong) doBeside(wait);
        if (mayStandStill && isLong && !hasUnsent()) wakeAt = search.look(wait.waiter, [&] { return inJob(describe()); });
        search.throwIfStuck();
        backoff.pause(transport_, wakeAt);
    }
}

/// Does the work that a rank has to do before it rests in a wait.
void Mailbox::doBeside(const Wait& wait) {
    if (const auto& send = outermost().sendHeldBack_; send) send();
    if (wait.beside == nullptr) return;
    const Clock::time_point now = transport_.now();
    if (wait.beside->next() <= now) wait.beside->attend(now);
}

template <class IsReached, class Description>
void Mailbox::waitOrThrow(const Wait& one, const IsReached& isReached, const Description& describe) {
    if (wait(one, isReached, describe)) return;
    throw TimeoutError(describe(), std::chrono::duration_cast<std::chrono::microseconds>(transport_.now() - limit().since));
}

void Mailbox::waitUntil(const std::function<bool()>& condition, const Describe& describe, Waiter waiter) {
    requireThread();
    if (condition()) return;
    requireNoUnwinding();
    throwIfDue();
    const auto isReached = [&](std::optional<Letter>& arrived) {
        keep(arrived);
        return condition();
    };
    waitOrThrow({waiter, limit().until}, isReached, describe);
}

bool Mailbox::isHopeless(const Filter& filter) const noexcept {
    if (filter.from() != AnyRank) return hasLeft(filter.from());
    const int count = leftCount();
    return count + 1 == transport_.size() && count != 0 && ownUnderWay_ == 0;
}

/// Throws RankHasLeft when no matching letter can come any more. Called when nothing has arrived and ranks have left.
void Mailbox::throwIfGone(const Filter& filter) const {
    if (!isHopeless(filter)) return;
    if (filter.from() != AnyRank && isLost(filter.from())) throw RankHasLeft(losses_.at(filter.from()));
    throw RankHasLeft(filter.from());
}

Letter Mailbox::take(const Filter& filter, Waiter waiter) {
    return takeAwaited({waiter, limit().until, &filter}, [&filter] { return filter.awaited(); });
}

Letter Mailbox::take(const Filter& filter, const Describe& describe) {
    return takeAwaited({Waiter::Call, limit().until, &filter}, describe);
}

template <class Description>
Letter Mailbox::takeAwaited(const Wait& wait, const Description& describe) {
    requireThread();
    requireNoUnwinding();
    throwIfDue();
    std::optional<Letter> found = takeArrived(*wait.filter);
    if (found) return std::move(*found);
    const auto isFound = [&](std::optional<Letter>& arrived) {
        if (!arrived || !wait.filter->matches(*arrived)) return false;
        found = std::exchange(arrived, std::nullopt);
        return true;
    };
    waitOrThrow(wait, isFound, describe);
    return std::move(*found);
}

Letter Mailbox::takeLent(const Filter& filter) {
    requireThread();
    const LentScope scope(lentFor_, filter);
    return take(filter);
}

void Mailbox::postLent(int to, IntBuffer ints) {
    const OneThread::Call call(*thread_);
    if (isLost(to)) return;
    regions_.stamp(ints, regions_.innermost());
    const auto copyTime = std::chrono::nanoseconds(ints.size() * sizeof(std::int32_t) / bytesPerNanosecond);
    {
        const OfferScope offer(transport_, to, std::move(ints));
        standstill_.noteSent(to);
        if (to == rank_) ++ownUnderWay_;
        const auto isOver = [this] { return !transport_.isOffering() || stopReason_ || !failures_.empty() || isUnwinding(); };
        const Clock::time_point until = std::min(limit().until, transport_.now() + copyTime);
        if (!isOver()) waitFor({Waiter::Ending, until}, isOver, [] { return Awaited(); });
    }
    if (isFull() && !isUnwinding()) waitForRoom();
}

bool Mailbox::awaitLetter(const Filter& filter, const Describe& describe, Clock::time_point time, Waiter waiter, const BesideWait* beside) {
    const OneThread::Call call(*thread_);
    requireNoUnwinding();
    throwIfDue();
    const auto isHere = [&] {
        return !untakenLosses_.empty() || arrived_.find([&](const Letter& letter) { return filter.matches(letter); }) != nullptr;
    };
    if (isHere()) return true;
    const bool endsBefore = time < limit().until;
    if (waitFor({waiter, std::min(time, limit().until), &filter, beside}, isHere, describe)) return true;
    if (endsBefore) return false;
    throw TimeoutError(describe(), std::chrono::duration_cast<std::chrono::microseconds>(transport_.now() - limit().since));
}

Letter Mailbox::take(Expectation& expectation) {
    requireThread();
    if (expectation.isComplete() && !expectation.hasLetter()) FERRY_THROW(UsageError("what was expected has been taken"));
    await(expectation, [&expectation] { return expectation.hasLetter(); });
    return expectation.take();
}

void Mailbox::awaitAllOf(Expectation& expectation) {
    await(expectation, [&expectation] { return expectation.isComplete(); });
}

template <class IsEnough>
void Mailbox::await(Expectation& expectation, const IsEnough& isEnough) {
    requireThread();
    requireNoUnwinding();
    throwIfDue();
    if (isEnough()) return;
    waitOrThrow(
        {Waiter::Call, limit().until, &expectation.filter()}, [&isEnough](const auto&) { return isEnough(); },
        [&expectation] { return expectation.filter().awaited(); });
}

void Mailbox::flush() {
    throwIfDue();
    waitOrThrow(
        {Waiter::Sending, limit().until}, [this](const auto&) { return !hasUnsent() || isUnwinding(); },
        [this] { return receiversOfUnsent(); });
}

Awaited Mailbox::receiversOfUnsent() const {
    std::vector<int> ranks;
    for (int rank = 0; rank < transport_.size(); ++rank) {
        if (transport_.undelivered(rank) > 0) ranks.push_back(rank);
    }
    std::string what = ranks.empty() ? "what was sent to leave" : fmt::format("what was sent to rank {} to leave", fmt::join(ranks, ", "));
    return {std::move(ranks), std::move(what)};
}

/// Keeps an arrived letter before it checks the condition.
template <class Condition, class Description>
bool Mailbox::waitFor(const Wait& one, const Condition& condition, const Description& describe) {
    const auto isReached = [&](std::optional<Letter>& arrived) {
        keep(arrived);
        return condition();
    };
    return wait(one, isReached, describe);
}

bool Mailbox::pumpUntil(const std::function<bool()>& condition, Clock::time_point deadline) {
    requireThread();
    return condition() || waitFor({Waiter::Ending, deadline}, condition, [] { return Awaited(); });
}

bool Mailbox::meet(int rank, const std::function<bool()>& condition, Clock::time_point deadline) {
    const auto describe = [rank] { return Awaited{{rank}, fmt::format("rank {} at the end of a guarded region", rank)}; };
    return condition() || waitFor({Waiter::Meeting, deadline}, condition, describe);
}

/// Waits until fewer sends are under way. At a deadline it returns: the letters are sent already.
void Mailbox::waitForRoom() {
    throwIfDue();
    const auto describe = [this] { return receiversOfUnsent(); };
    waitFor(
        {Waiter::Sending, limit().until}, [this] { return !isFull() || isUnwinding(); }, describe);
}

}    // namespace ferry
