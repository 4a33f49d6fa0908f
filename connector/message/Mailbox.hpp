#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <ferry/connector/exception/Awaited.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/message/letter/LetterFilter.hpp>
#include <ferry/connector/message/state/OneThread.hpp>
#include <ferry/connector/message/state/Wait.hpp>
#include <ferry/connector/transport/Transport.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>
#include <ferry/serialization/ints/SoleOwner.hpp>
#include <ferry/serialization/ints/durations.hpp>

namespace ferry::detail {

class Background;
class Departures;
class DueFailures;
class Expectation;
class GroupNest;
class GroupTransport;
class KeptLetters;
class MailboxHooks;
class Regions;
class Standstill;

/// Connects the letters that arrive with the calls that wait for them. Every wait of the connector and of the framework is a wait in a
/// mailbox. So the mailbox is the one place where a failure of another rank wakes a call. The mailbox sends, takes in and waits; its parts
/// know the rest, and users of the mailbox call them directly. Only they include the headers of the parts; templates of a connector's calls
/// use mailboxCalls.hpp.
///
/// Threads: one thread of its rank at a time; a call of another thread throws UsageError (OneThread). Errors: a wait throws another rank's
/// exception (throwOn), the reason of a stopped job, RegionFailed, TimeoutError at its deadline (DeadlineScope), or Deadlock (Standstill).
/// An exception of this kind that waits to be thrown is called due. While an exception leaves a guarded region, no other due exception is
/// thrown, and take() throws at once. After a std::bad_alloc a later call takes in the letters that have come.
class Mailbox final {
public:
    using Clock = Transport::Clock;
    /// Describes a wait: its ranks and what it waits for. Called only when the text is needed.
    using Describe = std::function<Awaited()>;
    /// The work of a poll besides taking letters in.
    enum class PollWork {
        AsInWait,    ///< sends what this rank holds back, and moves its job on
        None,
        NoneAndNothingDue,    ///< none, and nothing that is due is thrown
    };

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
    /// The check of the calling thread. A group shares it with the mailbox around.
    OneThread& thread() noexcept { return *thread_; }

    /// The guarded regions that this rank is in, as far as they are of this mailbox.
    Regions& regions() noexcept { return regions_; }
    /// The search for deadlocks.
    Standstill& standstill() noexcept { return standstill_; }
    /// The ranks that have left or are lost.
    Departures& departures() noexcept { return departures_; }
    /// The exceptions that the next calls throw.
    DueFailures& due() noexcept { return due_; }
    /// The functions that this mailbox calls for its users.
    MailboxHooks& hooks() noexcept { return hooks_; }
    /// The letters that have been taken in, and not taken out by a call.
    KeptLetters& arrived() noexcept { return arrived_; }
    /// The work that goes on while this rank does other things.
    Background& background() noexcept { return background_; }
    /// The mailboxes around and inside this one, and the guarded regions of all of them.
    GroupNest& nest() const noexcept { return nest_; }

    /// Packs a letter for postInts(). write(IntWriter&) writes its body. An exception of write leaves nothing behind. Errors: UsageError
    /// when no receiver would accept the letter (IntWriter::requireReadable).
    template <class Write>
    IntBuffer pack(const Envelope& envelope, Write&& write) {
        const OneThread::Call call(*thread_);
        IntBuffer ints = transport_.buffers().take();
        IntWriter out(ints);
        std::int32_t* const head = out.claim(Envelope::sizeInts);
        head[0] = static_cast<std::int32_t>(envelope.kind);
        head[1] = envelope.key;
        head[2] = envelope.number;
        head[Envelope::regionAt] = 0;    // region and clock: stamped when the letter is sent
        head[Envelope::clockAt] = 0;
        head[5] = envelope.type;
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
    /// many sends are under way. At a deadline it returns. After a std::bad_alloc nothing was sent.
    void postInts(int to, Channel channel, IntBuffer ints);

    /// Posts on the data channel like postInts(), but never waits: for letters that must leave even when an exception is due. With a
    /// holder, which owns the borrowed ints, these are sent from their place (Transport::startHeld).
    void postNow(int to, IntBuffer ints, std::shared_ptr<const void> holder = nullptr);

    /// Sends ints of which some are borrowed, on the data channel. Waits while the receiver takes the borrowed ints from their place. For
    /// the receiver to begin, it waits no longer than a copy of the ints would take. After the call nothing is borrowed. Throws nothing
    /// that is due. Pays for arrays of the sizes that Transport::offersFrom() tells. After a std::bad_alloc nothing was sent.
    void postLent(int to, IntBuffer ints);

    /// Waits for the oldest letter that matches. Throws due exceptions. Throws RankHasLeft when the sender has left, and LostRank when the
    /// sender is lost; for AnyRank, when all other ranks have left.
    Letter take(const Filter& filter, Waiter waiter = Waiter::Call);

    /// Waits for a letter like take(). The caller must read it at once, with a reader that fetches offered arrays, before it communicates.
    Letter takeLent(const Filter& filter);

    /// Waits for the next letter of the expectation, which arrived() keeps. Throws as the other take() does, and UsageError when all its
    /// letters were taken.
    Letter take(Expectation& expectation);
    /// Waits until all letters of the expectation have come, and takes out none. Throws as take() does.
    void awaitAllOf(Expectation& expectation);

    /// Waits for a matching letter or the loss of a rank (true), or until the time (false). At that time the caller may go on with other
    /// work. `beside` is work that cannot bring the letter or the loss about. Throws as take() does, and the exceptions of `beside`.
    bool awaitLetter(const Filter& filter, const Describe& describe, Clock::time_point time, Waiter waiter = Waiter::Call,
                     const BesideWait* beside = nullptr);

    /// Makes steps until the condition holds. Other ranks bring the condition about when they take in letters of this rank; for
    /// Waiter::Call, when they send letters. Throws due exceptions, and exceptions of the condition.
    void waitUntil(const std::function<bool()>& condition, const Describe& describe, Waiter waiter = Waiter::Sending);

    /// Makes steps until the condition holds (true) or the time is over (false). Throws nothing that is due: for the end of a job, or of a
    /// guarded region (Waiter::Meeting, with a description).
    bool pumpUntil(const std::function<bool()>& condition, Clock::time_point deadline, Waiter waiter = Waiter::Ending,
                   const Describe& describe = {});

    /// Takes in the letters that have arrived, does the work of a wait unless told otherwise, and waits for nothing. Throws due exceptions.
    void poll(PollWork work = PollWork::AsInWait);

    /// Waits until every send has left. Throws due exceptions.
    void flush();

    /// Gives the letter's buffer back for the next message.
    void giveBack(Letter&& letter);

    /// Throws a due exception, if there is one: an exception of another rank, the failure of a region, or the reason why the job was
    /// stopped.
    void throwIfDue();

private:
    friend class GroupTransport;    // makes steps of the mailbox around, and takes its letters over
    struct Parts;

    /// group: the transport, if it is that of a group; else null.
    Mailbox(Transport& transport, const ObjectFactory& factory, std::shared_ptr<OneThread> thread, GroupTransport* group);

    static constexpr std::size_t maxPendingSends = 1024;

    bool isFull() const noexcept { return transport_.pendingSends() > maxPendingSends; }
    bool isPast(Clock::time_point time) const { return time != Clock::time_point::max() && transport_.now() >= time; }
    bool hasUnsent() const noexcept;

    // Steps. The letter is empty before. After the call it is the letter of the data channel that is for the caller, if there is one.
    // Letters of the control channel have been handled then.
    bool moveOn();
    bool step(std::optional<Letter>& letter);
    void checkBeside(std::optional<Packet>& packet);
    void takeIn(Packet& packet, std::optional<Letter>& letter);
    void takeIn(std::optional<Letter>& letter, Channel channel);
    void takeInAgain(std::optional<Letter>& letter);
    [[gnu::always_inline]] inline bool isTakenOver(Letter& letter, Channel channel);
    bool isTakenAsOffered(Packet& packet);
    bool stepAndKeep();
    void keep(std::optional<Letter>& letter);
    void handleControl(Letter& letter);

    // Sending.
    [[gnu::always_inline]] inline void postData(int to, IntBuffer& ints, const std::shared_ptr<const void>& holder);

    // Letters of groups.
    bool giveToGroup(Channel channel, const Letter& letter);
    void takeInControl();

    // Exceptions that are due.
    void throwWhatIsDue();
    void throwFailures();
    void throwDueInside();

    // Waits, within a call of this rank's thread.
    Letter takeNext(const Filter& filter, Waiter waiter, const OneThread::Call& call);
    template <class IsReached, class Description>
    bool wait(const Wait& wait, const IsReached& isReached, const Description& describe);
    template <class Condition, class Description>
    bool waitFor(const Wait& wait, const Condition& condition, const Description& describe);
    template <class IsReached, class Description>
    void waitOrThrow(const Wait& wait, const IsReached& isReached, const Description& describe);
    template <class IsEnough>
    void await(Expectation& expectation, const IsEnough& isEnough);
    void waitForRoom();
    bool doBeside(const Wait& wait);
    template <class Description>
    Awaited describe(const Filter* filter, const Description& awaited);
    template <class Description>
    [[noreturn]] void throwTimeout(const Filter* filter, const Description& awaited);
    Awaited receiversOfUnsent() const;

    Transport& transport_;
    const std::shared_ptr<OneThread> thread_;
    const ObjectFactory& factory_;
    const SoleOwner<Parts> parts_;
    Regions& regions_;
    Standstill& standstill_;
    Departures& departures_;
    DueFailures& due_;
    MailboxHooks& hooks_;
    KeptLetters& arrived_;
    Background& background_;
    GroupNest& nest_;
    const Filter* lentFor_ = nullptr;    ///< the filter of the running takeLent()
    unsigned postCount_ = 0;
};

}    // namespace ferry::detail
