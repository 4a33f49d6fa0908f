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
#include <span>
#include <utility>
#include <vector>

#include <ferry/connector/exception/Awaited.hpp>
#include <ferry/connector/message/BackgroundWork.hpp>
#include <ferry/connector/message/Envelope.hpp>
#include <ferry/connector/message/Expectation.hpp>
#include <ferry/connector/message/GroupTransport.hpp>
#include <ferry/connector/message/LetterQueue.hpp>
#include <ferry/connector/message/OneThread.hpp>
#include <ferry/connector/message/Regions.hpp>
#include <ferry/connector/message/Standstill.hpp>
#include <ferry/connector/message/Wait.hpp>
#include <ferry/connector/transport/Loss.hpp>
#include <ferry/connector/transport/Transport.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry {

/// Brings together what arrives and who waits. It is the one place where a failure of another rank wakes a call: every wait of the
/// connector and of the framework is a wait here.
///
/// Threads: one thread of its rank at a time; a call of another thread throws UsageError (OneThread). Errors: a wait throws another rank's
/// exception (throwOn), the reason of a stopped job, RegionFailed, TimeoutError at its deadline (DeadlineScope), or Deadlock (Standstill).
/// While an exception leaves a guarded region, nothing else that is due is thrown, and take() throws at once. After a std::bad_alloc a
/// later call takes in the letters that have come.
class Mailbox {
public:
    using Clock = Transport::Clock;
    /// Says who is waited for and what for, when that is to be told.
    using Describe = std::function<Awaited()>;

    /// Both must outlive the mailbox.
    Mailbox(Transport& transport, const ObjectFactory& factory);
    /// The mailbox of a group. Its waits are waits of the mailbox around it, which its transport names, too: what is due there is thrown,
    /// and the deadlines there count. What is in one of the groups of a mailbox wakes waits of that.
    Mailbox(GroupTransport& transport, const ObjectFactory& factory);
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;
    ~Mailbox();

    Transport& transport() noexcept { return transport_; }
    const ObjectFactory& factory() const noexcept { return factory_; }
    /// Checks the calling thread; a group shares it with the mailbox around. requireThread(): UsageError when this thread may not call now.
    OneThread& thread() noexcept { return *thread_; }
    void requireThread() { thread_->require(); }

    /// A letter, written with write(IntWriter&), that postInts() sends. An exception of write leaves nothing behind. Errors: UsageError
    /// when no receiver would accept it (IntWriter::requireReadable).
    template <class Write>
    IntBuffer pack(const Envelope& envelope, Write&& write) {
        const OneThread::Call call(*thread_);
        IntBuffer ints = transport_.buffers().take();
        IntWriter out(ints);
        out.writeInt(static_cast<std::int32_t>(envelope.kind));
        out.writeInt(envelope.key);
        out.writeInt(envelope.number);
        out.writeInt(0);    // region and clock: stamped when it is sent
        out.writeInt(0);
        out.writeInt(envelope.type);
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

    /// From which sizes on arrays of a message are worth lending to postLent().
    LendingSizes lendsFrom() const noexcept { return transport_.offersFrom(); }
    /// Sends ints some of which are borrowed, on the data channel. Waits while the receiver takes them from where they lie, and no longer
    /// than copying them would take for it to begin; then nothing is borrowed any more. Throws nothing that is due.
    void postLent(int to, IntBuffer ints);

    /// How long waits may last at the moment. Set by DeadlineScope only, which gets what it was before.
    const WaitLimit& limit() const noexcept;
    WaitLimit setLimit(const WaitLimit& limit) noexcept { return std::exchange(limit_, limit); }

    /// Posts on the data channel like postInts(), and never waits: for letters that must leave whatever is due.
    void postNow(int to, IntBuffer ints);

    /// Posts on the control channel without a wait, for letters that are no reason for any rank to go on (Standstill).
    void postAside(int to, IntBuffer ints);

    /// Finds out that no rank can go on.
    Standstill& standstill() noexcept { return standstill_; }

    /// Waits for the oldest letter that matches. Throws what is due, and RankHasLeft when the sender has left (all others, for AnyRank).
    Letter take(const Filter& filter, Waiter waiter = Waiter::Call);
    /// Waits for a letter like take(). describe names the ranks that the call waits for, which it knows better than the filter.
    Letter take(const Filter& filter, const Describe& describe);

    /// Waits for a letter like take(). The caller must read it at once, with a reader that fetches offered arrays, before it communicates.
    Letter takeLent(const Filter& filter);

    /// Waits for a letter that matches or the loss of a rank (true), or until the time (false). At that time the caller may go on with
    /// something else. `beside` does what cannot bring the letter or the loss about. Throws as take() does, and what `beside` throws.
    bool awaitLetter(const Filter& filter, const Describe& describe, Clock::time_point time, Waiter waiter = Waiter::Call,
                     const BesideWait* beside = nullptr);

    /// The oldest letter that matches and has arrived. Throws what is due.
    std::optional<Letter> tryTake(const Filter& filter);

    /// The oldest letter that matches among those taken in so far. Throws nothing.
    std::optional<Letter> takeArrived(const Filter& filter);
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
    void giveBack(Letter&& letter);

    /// Moves everything under way on; throws what is due.
    void poll();

    /// Waits until every send has left; throws what is due.
    void flush();
    /// Moves things on until the condition holds (true) or the time is over (false). Throws nothing that is due: for the end of a job.
    bool pumpUntil(const std::function<bool()>& condition, Clock::time_point deadline);

    /// Waits like pumpUntil() for a rank that must come to the end of a guarded region.
    bool meet(int rank, const std::function<bool()>& condition, Clock::time_point deadline);

    /// Tells every other rank that no more letters come from this one. Waits for nothing.
    void sayFarewell();

    /// The next wait or poll throws this, once; unless the guarded region to which it belongs (this one) fails before.
    void throwSoon(std::exception_ptr exception);
    void throwSoon(std::exception_ptr exception, std::int32_t region);

    /// From now on every wait and poll throws this. The first reason stays.
    void stop(std::exception_ptr reason) { stop(std::move(reason), regionsAround()); }
    bool isStopped() const noexcept { return stopReason_ != nullptr || (around() != nullptr && around()->isStopped()); }

    /// Throws what is due: an exception of another rank, or the reason why the job was stopped.
    void throwIfDue() {
        requireThread();
        const bool isAlone = group_ == nullptr && inner_.empty();
        if (!isAlone || !failures_.empty() || stopReason_ || regions_.innermost() != 0) throwWhatIsDue();
    }

    /// The guarded regions that this rank is in. Entered and left by the Guard only, and not through this.
    const Regions& regions() const noexcept { return regions_; }
    Regions& regions() noexcept { return regions_; }

    void enterRegion();
    /// Leaves the innermost region, which has not failed, or in which the ranks do not meet any more.
    void leaveRegion();

    /// Whether a region around the innermost one has failed, here or in a mailbox around.
    bool hasOuterFailed() const noexcept { return regions_.hasOuterFailed() || hasAroundFailed(); }
    /// Whether one of a mailbox around has failed.
    bool hasAroundFailed() const noexcept;
    /// Whether an exception is on its way out of the region that was entered last, of whatever group, so that a destructor calls.
    bool isUnwinding() const noexcept;
    /// Whether isUnwinding() holds. If so, that region fails.
    bool failIfUnwinding();

    /// The innermost region fails because of this rank: tells all others, unless its failure is known already. Waits for nothing.
    void failRegion();

    /// While an exception is on its way out of the innermost region, its failure: the others may already wait for what the exception has
    /// kept this rank from doing. Then it fails the region and throws RegionFailed.
    void requireNoUnwinding();

    /// Leaves the innermost region after its failure (Regions::leaveFailed), and drops what was sent in it.
    void leaveFailedRegion(std::int32_t last, std::int32_t clock);

    /// The rank is lost: from now on what comes from it is dropped, and what is sent to it. Who waits for it gets a RankHasLeft.
    void lose(const Loss& loss);
    bool isLost(int rank) const noexcept { return !losses_.empty() && losses_.contains(rank); }
    bool hasLosses() const noexcept { return !losses_.empty(); }
    /// On rank 0, whose transport has more ranks now: letters go to them and come from them. On one that has joined later and reaches rank
    /// 0 alone: all others count as lost.
    void admitJoined();
    void noteJoined();
    /// The next loss since the last call, for the one who deals with them; awaitLetter() returns as long as there is one.
    std::optional<Loss> takeLoss();

    /// Whether all letters that the rank will ever send are here.
    bool hasLeft(int rank) const noexcept;

    /// Whether functions of the user run in the course of a step, of this mailbox or of one around it: operators, and what writes and reads
    /// values.
    bool isWithinStep() const noexcept { return isInBackground() || (around() != nullptr && around()->isWithinStep()); }

    /// Whether no letter that matches can come any more, because those who could send it have left.
    bool isHopeless(const Filter& filter) const noexcept;

    /// The fate of a step of a collective.
    enum class CollectiveFate {
        Kept,       ///< for whoever will wait for it
        Dropped,    ///< nobody will want it
        Taken,      ///< by the watch, which has moved it away or not
    };
    /// Asked about each step of a collective that arrives, and of each notice that one was given up. It must neither wait nor throw.
    void onCollective(std::function<CollectiveFate(Letter&)> watch) { collectiveWatch_ = std::move(watch); }

    /// The mailbox whose letters bring those of this one; null: none.
    Mailbox* around() const noexcept { return group_ != nullptr ? group_->around() : nullptr; }
    /// The number of a rank in the outermost mailbox; and how many there are.
    int rankInJob(int rank) const noexcept;
    int jobSize() const noexcept { return around() != nullptr ? around()->jobSize() : transport_.size(); }
    /// Groups that are made from now on have this id, or greater ones.
    std::int32_t nextGroup() const noexcept { return nextGroup_; }
    void setNextGroup(std::int32_t id);
    /// Errors: UsageError when the region that was entered last is neither of this mailbox nor of one around it, so that not all ranks of
    /// this mailbox are in it: they could not leave together what is called now.
    void requireOwnRegion() const;
    /// save() is called when a region of a mailbox around begins, and what it returns if that fails: it brings back how things stood.
    void onRegionAround(std::function<std::function<void()>()> save) { saves_.push_back(std::move(save)); }
    /// Takes the next letter in, for whomever; false: nothing has come.
    bool takeInNext() { return stepAndKeep(); }
    /// Whether one of the regions has failed: the first of this mailbox, the others of those around.
    bool areOver(std::span<const std::int32_t> regions) const noexcept;

    /// The letters that have been taken in and not been taken out.
    LetterQueue& arrived() noexcept { return arrived_; }

    /// Sets the handler of letters of this kind on the control channel, including those that came before. The handler must not wait.
    void onControl(MessageKind kind, std::function<void(const Letter&)> handler);

    /// Called whenever a wait finds nothing, and now and then when it always finds something: for checks that no message announces, such as
    /// signals. It must not wait.
    void onIdle(std::function<void()> check) { idleCheck_ = std::move(check); }
    /// Called before a wait rests: sends what this rank holds back and others may wait for. It must not wait. Null: nothing is held back.
    void onRest(std::function<void()> send) { sendHeldBack_ = std::move(send); }

private:
    /// The result of one look at the transport.
    struct Step {
        bool hasArrived = false;
        std::optional<Letter> letter;    ///< of the data channel; letters of the control channel have been handled
    };
    /// An exception that another rank threw on this one.
    struct Due {
        std::exception_ptr exception;
        std::int32_t region = 0;    ///< of the thrower
        std::vector<std::int32_t> regionsAround{};
    };
    /// Work that belongs to the regions in which it was begun, however long it takes.
    struct UnderWay {
        std::shared_ptr<BackgroundWork> work;
        std::vector<std::int32_t> regions{};    ///< of this mailbox, and those around
    };
    /// How things stood when a region around began.
    struct Snapshot {
        const Mailbox* mailbox = nullptr;    ///< whose region it is
        std::int32_t region = 0;
        Regions::State regions;
        std::vector<std::function<void()>> restores;
    };
    /// That a region of this mailbox has failed, told in regions of those around.
    struct FailureNotice {
        std::vector<std::int32_t> regionsAround{};
        std::int32_t region = 0;
        int rank = -1;
    };
    static constexpr std::size_t maxPendingSends = 1024;

    /// A letter that has come and could not be taken in for want of memory. The next step takes it in.
    struct Untaken {
        Letter letter;
        Channel channel = Channel::Data;
        bool isForCaller = false;    ///< the letter is for the call that waits
    };

    class InBackground;
    bool isInBackground() const noexcept { return inBackground_ > 0; }

    Step step();
    Step takeIn(Packet packet);
    Step takeIn(Letter& letter, Channel channel);
    Step takeInAgain();
    void checkBeside(std::optional<Packet>& packet);
    void takeInControl();
    void tryTakeInControl();
    bool giveToGroup(Channel channel, const Letter& letter);
    Mailbox& outermost() noexcept;
    const Mailbox& outermost() const noexcept;
    void joinAround();
    void loseAround();
    std::vector<std::int32_t> regionPath() const;
    std::vector<std::int32_t> regionsAround() const;
    void setStamps(std::span<const std::int32_t> regions);
    void save(const Mailbox& mailbox, std::int32_t region);
    void forgetSaved(const Mailbox& mailbox, std::int32_t region);
    void restore(const Mailbox& mailbox, std::int32_t region);
    void stop(std::exception_ptr reason, std::vector<std::int32_t> regionsAround);
    void noteRegionFailed(const Letter& letter);
    void forgetOldNotices();
    void throwFailures();
    void throwDueInside();
    bool moveAllBackground();
    bool hasUnsentBackground() const noexcept;
    int leftCount() const noexcept;
    Awaited inJob(Awaited awaited) const;
    void throwWhatIsDue();
    bool isTakenAsOffered(Packet& packet);
    bool stepAndKeep();
    void forgetExpected(const std::function<bool(const Letter&)>& isOver);
    void keep(std::optional<Letter>& letter);
    void waitForRoom();
    void doBeside(const Wait& wait);
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
    bool hasUnsent() const noexcept { return transport_.pendingSends() > 0 || outermost().hasUnsentBackground(); }
    bool moveBackground();
    void handleControl(Letter& letter);
    void handleLost(const Letter& letter);
    void noteFarewell(const Letter& letter);
    void noteWhoHasLeft();
    void noteGone(int rank);
    void throwIfNobodyCanSend(const Filter& filter) const {
        if (leftCount_ != 0 || group_ != nullptr) throwIfGone(filter);
    }
    void throwIfGone(const Filter& filter) const;

    Transport& transport_;
    const std::shared_ptr<OneThread> thread_;
    const int rank_;
    const ObjectFactory& factory_;
    LetterQueue arrived_;
    Expectations expectations_;
    std::vector<UnderWay> background_;
    int inBackground_ = 0;                 ///< how deep it is in steps of background work
    std::optional<std::int32_t> stamp_;    ///< the region of the background work that is done at the moment
    const Filter* lentFor_ = nullptr;      ///< of a takeLent()
    Regions regions_;
    std::deque<Due> failures_;
    std::exception_ptr stopReason_;
    std::vector<std::int32_t> stoppedIn_{};    ///< regions around
    std::map<MessageKind, std::function<void(const Letter&)>> controlHandlers_;
    LetterQueue unhandled_;    ///< control letters that wait for their handler
    std::function<void()> idleCheck_;
    std::function<void()> sendHeldBack_;
    std::function<CollectiveFate(Letter&)> collectiveWatch_;
    WaitLimit limit_;
    Standstill standstill_;
    std::vector<bool> hasLeft_;    ///< by rank: all its letters are here
    std::vector<int> leaving_;     ///< have said farewell, and some of their letters are not here
    int leftCount_ = 0;
    std::map<int, Loss> losses_{};    ///< by rank
    std::deque<Loss> untakenLosses_{};
    std::optional<Packet> unopened_{};    ///< like untaken_, but not opened yet
    std::optional<Untaken> untaken_{};
    bool isBehind_ = false;          ///< control letters of the group wait
    std::size_t ownUnderWay_ = 0;    ///< letters that this rank has sent to itself and not taken in
    unsigned postCount_ = 0;
    unsigned letterCount_ = 0;

    GroupTransport* group_ = nullptr;    ///< the transport, of a mailbox of a group
    std::vector<Mailbox*> inner_;        ///< of the groups of which this one lies around
    std::int32_t nextGroup_ = 1;
    std::vector<std::int32_t> bornIn_;               ///< regions around in which it was made
    std::vector<Mailbox*> regionOwners_;             ///< of the outermost mailbox: whose regions this rank is in, outermost first
    std::vector<Snapshot> snapshots_;                ///< of regions around that this rank is in
    std::vector<FailureNotice> failureNotices_{};    ///< since the first of them, and of regions that this rank has not entered yet
    std::vector<std::function<std::function<void()>()>> saves_;
};

}    // namespace ferry
