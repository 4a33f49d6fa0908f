#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <ferry/connector/exception/Awaited.hpp>
#include <ferry/connector/message/BackgroundWork.hpp>
#include <ferry/connector/message/Envelope.hpp>
#include <ferry/connector/message/Expectation.hpp>
#include <ferry/connector/message/LetterQueue.hpp>
#include <ferry/connector/message/Regions.hpp>
#include <ferry/connector/message/Standstill.hpp>
#include <ferry/connector/message/Wait.hpp>
#include <ferry/connector/transport/Transport.hpp>
#include <ferry/serialization/IntWriter.hpp>
#include <ferry/serialization/ObjectFactory.hpp>

namespace ferry {

/// Brings together what arrives and who waits. It is the one place where a failure of another rank wakes a call: every wait of the
/// connector and of the framework is a wait here.
///
/// Threads: the one thread of its rank. Errors: a wait throws what another rank threw on this one, why the job was stopped, RegionFailed,
/// TimeoutError at its deadline (DeadlineScope), or Deadlock (Standstill). While an exception is on its way out of a guarded region nothing
/// is thrown that is due, and take() throws at once.
class Mailbox {
public:
    using Clock = Transport::Clock;
    /// Says who is waited for and what for, when that is to be told.
    using Describe = std::function<Awaited()>;

    /// Both must outlive the mailbox.
    Mailbox(Transport& transport, const ObjectFactory& factory);
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;

    Transport& transport() noexcept { return transport_; }
    const ObjectFactory& factory() const noexcept { return factory_; }

    /// A letter, written with write(IntWriter&), that postInts() sends. An exception of write leaves nothing behind. Errors: UsageError
    /// when no receiver would accept it (IntWriter::requireReadable).
    template <class Write>
    IntBuffer pack(const Envelope& envelope, Write&& write) {
        IntBuffer ints = transport_.buffers().take();
        IntWriter out(ints);
        out.writeInt(static_cast<std::int32_t>(envelope.kind));
        out.writeInt(envelope.key);
        out.writeInt(envelope.number);
        out.writeInt(0);    // region and clock: stamped when it is sent
        out.writeInt(0);
        write(out);
        out.requireReadable();
        out.finish();
        return ints;
    }

    /// Packs a letter and sends it.
    template <class Write>
    void post(int to, Channel channel, const Envelope& envelope, Write&& write) {
        postInts(to, channel, pack(envelope, std::forward<Write>(write)));
    }

    /// Sends ints that begin with an envelope already; its region and clock are set. On the data channel it waits while very many sends are
    /// under way, but not beyond a deadline, at which it returns.
    void postInts(int to, Channel channel, IntBuffer ints);

    /// Whether the rank has taken in all but so many of this rank's letters, as far as the transport can tell, or has left.
    bool hasTaken(int to, std::size_t allBut) const noexcept { return transport_.undelivered(to) <= allBut || hasLeft(to); }

    /// Moves things on until the condition holds, which others bring about by taking in what this rank has sent; for Waiter::Call by
    /// letters. Throws what is due, and what the condition throws.
    void waitUntil(const std::function<bool()>& condition, const Describe& describe, Waiter waiter = Waiter::Sending);

    /// From how many bytes on arrays of a message are worth lending to postLent().
    std::size_t lendsFromBytes() const noexcept { return transport_.offersFromBytes(); }
    /// Sends ints some of which are borrowed, on the data channel. Waits while the receiver takes them from where they lie, and no longer
    /// than copying them would take for it to begin; then nothing is borrowed any more. Throws nothing that is due.
    void postLent(int to, IntBuffer ints);

    /// How long waits may last at the moment. Set by DeadlineScope only.
    const WaitLimit& limit() const noexcept { return limit_; }
    void setLimit(const WaitLimit& limit) noexcept { limit_ = limit; }

    /// The same as postInts() on the data channel, and never waits: for what must leave whatever is due.
    void postNow(int to, IntBuffer ints);

    /// The same on the control channel, for letters that are no reason for any rank to go on (Standstill).
    void postAside(int to, IntBuffer ints);

    /// Finds out that no rank can go on.
    Standstill& standstill() noexcept { return standstill_; }

    /// Waits for the oldest letter that matches. Throws what is due, and RankHasLeft when the sender has left (all others, for AnyRank).
    Letter take(const Filter& filter, Waiter waiter = Waiter::Call);
    /// The same, for a call that knows better than the filter whom it waits for.
    Letter take(const Filter& filter, const Describe& describe);

    /// The same for a caller who reads the letter at once, with a reader that fetches what is on offer, and communicates only afterwards.
    Letter takeLent(const Filter& filter);

    /// The oldest letter that matches and has arrived. Throws what is due.
    std::optional<Letter> tryTake(const Filter& filter);

    /// The oldest letter that matches among those taken in so far. Throws nothing.
    std::optional<Letter> takeArrived(const Filter& filter);
    /// The same for wants(letter).
    template <class Wants>
    std::optional<Letter> takeArrivedIf(const Wants& wants) {
        return arrived_.takeIf(wants);
    }

    /// Letters that are here or come are kept for the expectation, unless one that was made earlier wants them.
    void expect(const std::shared_ptr<Expectation>& expectation);

    /// Waits for the expectation's next letter. Throws as the other form does, and UsageError when all that it wanted was taken.
    Letter take(Expectation& expectation);

    /// Waits until all that it wants has come, and takes nothing. Throws as take() does.
    void awaitAllOf(Expectation& expectation);

    /// Does a step of the work now, and the others whenever this rank looks for letters, until it is done.
    void doInBackground(std::shared_ptr<BackgroundWork> work);

    /// Gives the letter's buffer back for the next message.
    void giveBack(Letter&& letter) { transport_.buffers().giveBack(std::move(letter.ints)); }

    /// Moves everything under way on; throws what is due.
    void poll();

    /// Waits until every send has left; throws what is due.
    void flush();

    /// Moves things on until the condition holds (true) or the time is over (false). Throws nothing that is due: for the end of a job.
    bool pumpUntil(const std::function<bool()>& condition, Clock::time_point deadline);

    /// The same, for a rank that is to come to the end of a guarded region.
    bool meet(int rank, const std::function<bool()>& condition, Clock::time_point deadline);

    /// Tells every other rank that no more letters come from this one. Waits for nothing.
    void sayFarewell();

    /// The next wait or poll throws this, once; unless the guarded region to which it belongs (this one) fails before.
    void throwSoon(std::exception_ptr exception);
    void throwSoon(std::exception_ptr exception, std::int32_t region);

    /// From now on every wait and poll throws this. The first reason stays.
    void stop(std::exception_ptr reason) {
        if (!stopReason_) stopReason_ = std::move(reason);
    }
    bool isStopped() const noexcept { return stopReason_ != nullptr; }

    /// Throws what is due: an exception of another rank, or the reason why the job was stopped.
    void throwIfDue() {
        if (!failures_.empty() || stopReason_ || regions_.innermost() != 0) throwWhatIsDue();
    }

    /// The guarded regions that this rank is in. Entered and left by the Guard only.
    const Regions& regions() const noexcept { return regions_; }
    Regions& regions() noexcept { return regions_; }

    /// The innermost region fails because of this rank: tells all others, unless its failure is known already. Waits for nothing.
    void failRegion();

    /// While an exception is on its way out of the innermost region, its failure: the others may already wait for what the exception has
    /// kept this rank from doing. Then it fails the region and throws RegionFailed.
    void requireNoUnwinding();

    /// Leaves the innermost region after its failure (Regions::leaveFailed), and drops what was sent in it.
    void leaveFailedRegion(std::int32_t last, std::int32_t clock);

    /// Whether all letters that the rank will ever send are here.
    bool hasLeft(int rank) const noexcept { return hasLeft_[static_cast<std::size_t>(rank)]; }

    /// Whether no letter that matches can come any more, because those who could send it have left.
    bool isHopeless(const Filter& filter) const noexcept;

    /// Asked about each step of a collective that arrives, and of each notice that one was given up: whether anybody will want it, so that
    /// it is kept. It must neither wait nor throw.
    void onCollective(std::function<bool(const Letter&)> watch) { collectiveWatch_ = std::move(watch); }

    /// The letters that have been taken in and not been taken out.
    LetterQueue& arrived() noexcept { return arrived_; }

    /// Who handles letters of this kind on the control channel, those included that came before. It must not wait.
    void onControl(MessageKind kind, std::function<void(const Letter&)> handler);

    /// Called whenever a wait finds nothing, and now and then when it always finds something: for checks that no message announces, such as
    /// signals. It must not wait.
    void onIdle(std::function<void()> check) { idleCheck_ = std::move(check); }

private:
    /// What one look at the transport brought.
    struct Step {
        bool hasArrived = false;
        std::optional<Letter> letter;    ///< of the data channel; letters of the control channel have been handled
    };
    /// An exception that another rank threw on this one.
    struct Due {
        std::exception_ptr exception;
        std::int32_t region = 0;    ///< of the thrower
    };
    /// What belongs to the region in which it was begun, however long it takes.
    struct UnderWay {
        std::shared_ptr<BackgroundWork> work;
        std::int32_t region = 0;
    };
    static constexpr std::size_t maxPendingSends = 1024;

    void throwWhatIsDue();
    Step step();
    bool isTakenAsOffered(Packet& packet);
    bool stepAndKeep();
    void keep(std::optional<Letter>& letter);
    void waitForRoom();
    bool isFull() const noexcept { return transport_.pendingSends() > maxPendingSends; }
    template <class IsReached, class Description>
    bool wait(const Wait& wait, const IsReached& isReached, const Description& describe);
    template <class Condition, class Description>
    bool waitFor(const Wait& wait, const Condition& condition, const Description& describe);
    template <class IsReached, class Description>
    void waitOrThrow(const Wait& wait, const IsReached& isReached, const Description& describe);
    template <class Description>
    Letter takeAwaited(const Wait& wait, const Description& describe);
    template <class IsEnough>
    void await(Expectation& expectation, const IsEnough& isEnough);
    bool isPast(Clock::time_point time) const { return time != Clock::time_point::max() && transport_.now() >= time; }
    Awaited receiversOfUnsent() const;
    bool hasUnsent() const noexcept { return transport_.pendingSends() > 0 || !background_.empty(); }
    bool moveBackground();
    void handleControl(Letter letter);
    void noteFarewell(const Letter& letter);
    void throwIfNobodyCanSend(const Filter& filter) const {
        if (leftCount_ != 0) throwIfGone(filter);
    }
    void throwIfGone(const Filter& filter) const;

    Transport& transport_;
    const int rank_;
    const ObjectFactory& factory_;
    LetterQueue arrived_;
    Expectations expectations_;
    std::vector<UnderWay> background_;
    bool isInBackground_ = false;
    const Filter* lentFor_ = nullptr;      ///< of a takeLent()
    std::int32_t backgroundRegion_ = 0;    ///< of the work that is done at the moment
    Regions regions_;
    std::deque<Due> failures_;
    std::exception_ptr stopReason_;
    std::map<MessageKind, std::function<void(const Letter&)>> controlHandlers_;
    LetterQueue unhandled_;    ///< control letters that wait for their handler
    std::function<void()> idleCheck_;
    std::function<bool(const Letter&)> collectiveWatch_;
    WaitLimit limit_;
    Standstill standstill_;
    std::vector<bool> hasLeft_;    ///< by rank: all its letters are here
    int leftCount_ = 0;
    std::size_t ownUnderWay_ = 0;    ///< letters that this rank has sent to itself and not taken in
    unsigned postCount_ = 0;
    unsigned letterCount_ = 0;
};

}    // namespace ferry
