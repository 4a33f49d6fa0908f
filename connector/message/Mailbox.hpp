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

/// Connects the letters that arrive with the calls that wait for them. Every wait of the connector and of the framework is a wait in a
/// mailbox. So the mailbox is the one place where a failure of another rank wakes a call.
///
/// Threads: one thread of its rank at a time; a call of another thread throws UsageError (OneThread). Errors: a wait throws another rank's
/// exception (throwOn), the reason of a stopped job, RegionFailed, TimeoutError at its deadline (DeadlineScope), or Deadlock (Standstill).
/// An exception of this kind that waits to be thrown is called due. While an exception leaves a guarded region, no other due exception is
/// thrown, and take() throws at once. After a std::bad_alloc a later call takes in the letters that have come.
class Mailbox {
public:
    using Clock = Transport::Clock;
    /// Describes a wait: its ranks and what it waits for. Called only when the text is needed.
    using Describe = std::function<Awaited()>;

    /// Transport and factory must outlive the mailbox.
    Mailbox(Transport& transport, const ObjectFactory& factory);
    /// The mailbox of a group. The transport names the mailbox around it. A wait in a group is also a wait of the mailbox around: its due
    /// exceptions are thrown, and its deadlines count. Due exceptions of a group wake the waits of the mailbox around.
    Mailbox(GroupTransport& transport, const ObjectFactory& factory);
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;
    ~Mailbox();

    Transport& transport() noexcept { return transport_; }
    const ObjectFactory& factory() const noexcept { return factory_; }
    /// The check of the calling thread. A group shares it with the mailbox around. requireThread(): UsageError when this thread may not
    /// call now.
    OneThread& thread() noexcept { return *thread_; }
    void requireThread() { thread_->require(); }

    /// Packs a letter for postInts(). write(IntWriter&) writes its body. An exception of write leaves nothing behind. Errors: UsageError
    /// when no receiver would accept the letter (IntWriter::requireReadable).
    template <class Write>
    IntBuffer pack(const Envelope& envelope, Write&& write) {
        const OneThread::Call call(*thread_);
        IntBuffer ints = transport_.buffers().take();
        IntWriter out(ints);
        out.writeInt(static_cast<std::int32_t>(envelope.kind));
        out.writeInt(envelope.key);
        out.writeInt(envelope.number);
        out.writeInt(0);    // region and clock: stamped when the letter is sent
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

    /// Sends ints that begin with an envelope, and sets region and clock of the envelope. On the data channel the call waits while very
    /// many sends are under way. At a deadline it returns.
    void postInts(int to, Channel channel, IntBuffer ints);

    /// Whether the rank has taken in all letters of this rank but at most allBut, as far as the transport can tell. Also true when the rank
    /// has left.
    bool hasTaken(int to, std::size_t allBut) const noexcept { return transport_.undelivered(to) <= allBut || hasLeft(to); }

    /// Makes steps until the condition holds. Other ranks bring the condition about when they take in letters of this rank; for
    /// Waiter::Call, when they send letters. Throws due exceptions, and exceptions of the condition.
    void waitUntil(const std::function<bool()>& condition, const Describe& describe, Waiter waiter = Waiter::Sending);

    /// The sizes of arrays from which on postLent() pays.
    LendingSizes lendsFrom() const noexcept { return transport_.offersFrom(); }
    /// Sends ints of which some are borrowed, on the data channel. Waits while the receiver takes the borrowed ints from their place. For
    /// the receiver to begin, it waits no longer than a copy of the ints would take. After the call nothing is borrowed. Throws nothing
    /// that is due.
    void postLent(int to, IntBuffer ints);

    /// The present limit on waits. Only DeadlineScope sets it, and gets the limit before.
    const WaitLimit& limit() const noexcept;
    WaitLimit setLimit(const WaitLimit& limit) noexcept { return std::exchange(limit_, limit); }

    /// Posts on the data channel like postInts(), but never waits: for letters that must leave even when an exception is due.
    void postNow(int to, IntBuffer ints);

    /// Posts on the control channel without a wait. Letters posted like this are not counted as events in the search for deadlocks
    /// (Standstill).
    void postAside(int to, IntBuffer ints);

    /// The search for deadlocks.
    Standstill& standstill() noexcept { return standstill_; }

    /// Waits for the oldest letter that matches. Throws due exceptions. Throws RankHasLeft when the sender has left; for AnyRank, when all
    /// other ranks have.
    Letter take(const Filter& filter, Waiter waiter = Waiter::Call);
    /// Waits for a letter like take(). describe names the ranks that the call waits for, which the filter does not know.
    Letter take(const Filter& filter, const Describe& describe);

    /// Waits for a letter like take(). The caller must read it at once, with a reader that fetches offered arrays, before it communicates.
    Letter takeLent(const Filter& filter);

    /// Waits for a matching letter or the loss of a rank (true), or until the time (false). At that time the caller may go on with other
    /// work. `beside` is work that cannot bring the letter or the loss about. Throws as take() does, and the exceptions of `beside`.
    bool awaitLetter(const Filter& filter, const Describe& describe, Clock::time_point time, Waiter waiter = Waiter::Call,
                     const BesideWait* beside = nullptr);

    /// Takes out the oldest matching letter that has arrived. Throws due exceptions.
    std::optional<Letter> tryTake(const Filter& filter);

    /// Takes out the oldest matching letter among those taken in so far. Throws nothing that is due.
    std::optional<Letter> takeArrived(const Filter& filter);
    template <class Wants>
    std::optional<Letter> takeArrivedIf(const Wants& wants) {
        return arrived_.takeIf(wants);
    }

    /// Keeps letters for the expectation, those that have arrived and later ones, unless an earlier expectation wants them.
    void expect(const std::shared_ptr<Expectation>& expectation);

    /// Waits for the expectation's next letter. Throws as the other take() does, and UsageError when all its letters were taken.
    Letter take(Expectation& expectation);
    /// Waits until all letters of the expectation have come, and takes out none. Throws as take() does.
    void awaitAllOf(Expectation& expectation);

    /// Makes the first step of the work now, and further steps whenever this rank looks for letters, until the work is done.
    void doInBackground(std::shared_ptr<BackgroundWork> work);

    /// Gives the letter's buffer back for the next message.
    void giveBack(Letter&& letter);

    /// Moves on everything under way. Throws due exceptions.
    void poll();

    /// Waits until every send has left. Throws due exceptions.
    void flush();
    /// Makes steps until the condition holds (true) or the time is over (false). Throws nothing that is due: for the end of a job.
    bool pumpUntil(const std::function<bool()>& condition, Clock::time_point deadline);

    /// Waits like pumpUntil(), until the rank has come to the end of a guarded region.
    bool meet(int rank, const std::function<bool()>& condition, Clock::time_point deadline);

    /// Tells every other rank that no more letters come from this one. Waits for nothing.
    void sayFarewell();

    /// The next wait or poll throws this exception, once. It is forgotten when its guarded region fails before. The form without a region
    /// means the innermost region.
    void throwSoon(std::exception_ptr exception);
    void throwSoon(std::exception_ptr exception, std::int32_t region);

    /// From now on every wait and poll throws this reason. The first reason stays.
    void stop(std::exception_ptr reason) { stop(std::move(reason), regionsAround()); }
    bool isStopped() const noexcept { return stopReason_ != nullptr || (around() != nullptr && around()->isStopped()); }

    /// Throws a due exception, if there is one: an exception of another rank, the failure of a region, or the reason why the job was
    /// stopped.
    void throwIfDue() {
        requireThread();
        const bool isAlone = group_ == nullptr && inner_.empty();
        if (!isAlone || !failures_.empty() || stopReason_ || regions_.innermost() != 0) throwWhatIsDue();
    }

    /// The guarded regions that this rank is in. Only the Guard enters and leaves them, by the calls below.
    const Regions& regions() const noexcept { return regions_; }
    Regions& regions() noexcept { return regions_; }

    void enterRegion();
    /// Leaves the innermost region when it has not failed, or when the ranks cannot meet at its end any more.
    void leaveRegion();

    /// Whether a region around the innermost one has failed, in this mailbox or in a mailbox around.
    bool hasOuterFailed() const noexcept { return regions_.hasOuterFailed() || hasAroundFailed(); }
    /// Whether a region of a mailbox around has failed.
    bool hasAroundFailed() const noexcept;
    /// Whether an exception is leaving the region that was entered last, of any group. A call made then comes from a destructor.
    bool isUnwinding() const noexcept;
    /// Whether isUnwinding() holds. If so, that region fails.
    bool failIfUnwinding();

    /// Lets the innermost region fail because of this rank, and tells all other ranks. Does nothing when the region has failed already.
    /// Waits for nothing.
    void failRegion();

    /// While an exception leaves the region entered last, no call may wait: other ranks may already wait for letters that this rank will
    /// never send. In that case the region fails, and RegionFailed is thrown.
    void requireNoUnwinding();

    /// Leaves the innermost region after its failure (Regions::leaveFailed), and drops all letters that were sent in it.
    void leaveFailedRegion(std::int32_t last, std::int32_t clock);

    /// Notes that a rank is lost. From now on its letters are dropped, and so are letters to it. A call that waits for it gets a
    /// RankHasLeft.
    void lose(const Loss& loss);
    bool isLost(int rank) const noexcept { return !losses_.empty() && losses_.contains(rank); }
    bool hasLosses() const noexcept { return !losses_.empty(); }
    /// admitJoined(): to be called on rank 0 when its transport has more ranks. Letters can go to them and come from them.
    /// noteJoined(): to be called on a rank that has joined later and reaches rank 0 alone. All other ranks count as lost.
    void admitJoined();
    void noteJoined();
    /// The next loss that was not taken yet, for the caller that handles losses. While there is one, awaitLetter() returns at once.
    std::optional<Loss> takeLoss();

    /// Whether no more letters of the rank will come: it has left and all its letters are here, or it is lost.
    bool hasLeft(int rank) const noexcept;

    /// Whether functions of the user run within a step, of this mailbox or of one around it. Such functions are operators and functions
    /// that write and read values.
    bool isWithinStep() const noexcept { return isInBackground() || (around() != nullptr && around()->isWithinStep()); }

    /// Whether no matching letter can come any more: all ranks that could send it have left.
    bool isHopeless(const Filter& filter) const noexcept;

    /// The fate of a step of a collective.
    enum class CollectiveFate {
        Kept,       ///< kept for a call that will wait for it
        Dropped,    ///< no call will want it
        Taken,      ///< taken over by the watch, which may have moved the letter away
    };
    /// Sets the watch: the function that decides on each arriving step of a collective, and on each notice that a collective was given up.
    /// The watch must neither wait nor throw.
    void onCollective(std::function<CollectiveFate(Letter&)> watch) { collectiveWatch_ = std::move(watch); }

    /// The mailbox whose letters carry the letters of this one; null: none.
    Mailbox* around() const noexcept { return group_ != nullptr ? group_->around() : nullptr; }
    /// The number of a rank in the outermost mailbox, and the number of its ranks.
    int rankInJob(int rank) const noexcept;
    int jobSize() const noexcept { return around() != nullptr ? around()->jobSize() : transport_.size(); }
    /// The number of the next group: groups made from now on have this number or greater ones.
    std::int32_t nextGroup() const noexcept { return nextGroup_; }
    void setNextGroup(std::int32_t id);
    /// Checks that a collective of this mailbox may be called in the present region. Errors: UsageError when the region entered last
    /// belongs neither to this mailbox nor to one around it. Then some ranks of this mailbox are not in the region, and a collective of
    /// this mailbox could not end with the region.
    void requireOwnRegion() const;
    /// Sets save(), which is called when a region of a mailbox around begins. save() returns a function that restores the saved state. The
    /// function is called if that region fails.
    void onRegionAround(std::function<std::function<void()>()> save) { saves_.push_back(std::move(save)); }
    /// Takes the next letter in, for any call or group. False: nothing has come.
    bool takeInNext() { return stepAndKeep(); }
    /// Whether one of the regions has failed: the first of this mailbox, the others of the mailboxes around, innermost first.
    bool areOver(std::span<const std::int32_t> regions) const noexcept;

    /// The letters that have been taken in, and not taken out by a call.
    LetterQueue& arrived() noexcept { return arrived_; }

    /// Sets the handler of letters of this kind on the control channel, including those that came before. The handler must not wait.
    void onControl(MessageKind kind, std::function<void(const Letter&)> handler);

    /// Sets a check that no message announces, such as for signals. It is called whenever a wait finds nothing, and now and then while
    /// letters keep coming. The check must not wait.
    void onIdle(std::function<void()> check) { idleCheck_ = std::move(check); }
    /// Sets a function that is called before a wait rests. It sends letters that this rank holds back and others may wait for. The function
    /// must not wait. Null: nothing is held back.
    void onRest(std::function<void()> send) { sendHeldBack_ = std::move(send); }

private:
    /// The result of one look at the transport.
    struct Step {
        bool hasArrived = false;
        std::optional<Letter> letter;    ///< a letter of the data channel; letters of the control channel have been handled
    };
    /// An exception that another rank threw on this one.
    struct Due {
        std::exception_ptr exception;
        std::int32_t region = 0;    ///< the region of the thrower
        std::vector<std::int32_t> regionsAround{};
    };
    /// Background work. It belongs to the regions in which it was begun, however long it takes.
    struct UnderWay {
        std::shared_ptr<BackgroundWork> work;
        std::vector<std::int32_t> regions{};    ///< regions of this mailbox and those around
    };
    /// The state of this mailbox when a region of a mailbox around began.
    struct Snapshot {
        const Mailbox* mailbox = nullptr;    ///< the mailbox of the region
        std::int32_t region = 0;
        Regions::State regions;
        std::vector<std::function<void()>> restores;
    };
    /// The notice that a region of this mailbox has failed, and the regions of the mailboxes around in which it was sent.
    struct FailureNotice {
        std::vector<std::int32_t> regionsAround{};
        std::int32_t region = 0;
        int rank = -1;
    };
    static constexpr std::size_t maxPendingSends = 1024;

    /// A letter that has come but could not be taken in, for lack of memory. The next step takes it in.
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
    int inBackground_ = 0;                 ///< depth of nested steps of background work
    std::optional<std::int32_t> stamp_;    ///< the region of the background work that is done at the moment
    const Filter* lentFor_ = nullptr;      ///< the filter of the running takeLent()
    Regions regions_;
    std::deque<Due> failures_;
    std::exception_ptr stopReason_;
    std::vector<std::int32_t> stoppedIn_{};    ///< regions of the mailboxes around in which the stop was sent
    std::map<MessageKind, std::function<void(const Letter&)>> controlHandlers_;
    LetterQueue unhandled_;    ///< control letters that wait for their handler
    std::function<void()> idleCheck_;
    std::function<void()> sendHeldBack_;
    std::function<CollectiveFate(Letter&)> collectiveWatch_;
    WaitLimit limit_;
    Standstill standstill_;
    std::vector<bool> hasLeft_;    ///< by rank: the rank has left and all its letters are here
    std::vector<int> leaving_;     ///< ranks that have said farewell, but some of their letters are not here
    int leftCount_ = 0;
    std::map<int, Loss> losses_{};    ///< by rank
    std::deque<Loss> untakenLosses_{};
    std::optional<Packet> unopened_{};    ///< a packet like untaken_, not opened yet
    std::optional<Untaken> untaken_{};
    bool isBehind_ = false;          ///< control letters of the group wait to be taken in
    std::size_t ownUnderWay_ = 0;    ///< number of letters that this rank has sent to itself and not taken in
    unsigned postCount_ = 0;
    unsigned letterCount_ = 0;

    GroupTransport* group_ = nullptr;    ///< the transport of a mailbox of a group; null for others
    std::vector<Mailbox*> inner_;        ///< the mailboxes of the groups inside this one
    std::int32_t nextGroup_ = 1;
    std::vector<std::int32_t> bornIn_;               ///< regions of the mailboxes around in which this mailbox was made
    std::vector<Mailbox*> regionOwners_;             ///< used in the outermost mailbox: owners of the regions that this rank is in,
                                                     ///< outermost first
    std::vector<Snapshot> snapshots_;                ///< one for each region around that this rank is in
    std::vector<FailureNotice> failureNotices_{};    ///< since the first snapshot, and of regions that this rank has not entered yet
    std::vector<std::function<std::function<void()>()>> saves_;
};

}    // namespace ferry
