#include <ferry/connector/message/Mailbox.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/message/Background.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/GroupTransport.hpp>
#include <ferry/connector/message/Searches.hpp>
#include <ferry/connector/message/droppedConnectors.hpp>
#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/connector/message/letter/Expectation.hpp>
#include <ferry/connector/message/letter/KindsAbove.hpp>
#include <ferry/connector/message/state/DueFailures.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/message/state/MailboxHooks.hpp>
#include <ferry/connector/message/state/Regions.hpp>
#include <ferry/connector/message/state/Remarks.hpp>
#include <ferry/connector/message/state/Standstill.hpp>
#include <ferry/connector/message/state/TakenInRegions.hpp>
#include <ferry/connector/message/state/insist.hpp>
#include <ferry/connector/transport/Backoff.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>

namespace ferry::detail {

namespace {

// Number of sends between two steps. Even a rank that only sends must let its sends complete and hear of failures.
constexpr unsigned postsPerStep = 16;
// Number of letters between two looks at the time of a rank that is never idle.
constexpr unsigned lettersPerLook = 64;
// Looks at the transport that must find nothing before a deadline counts. A transport may need some looks to bring in an arrived packet.
constexpr unsigned looksBeforeTimeout = 8;

// Limit of looks for memory at the end of a job or guarded region, where other ranks wait: about ten seconds.
constexpr int mostStepsWithoutMemory = 1000;

// Speed of a copy. A sender waits for its receiver as long as a copy of the ints would take, and then copies them.
constexpr std::size_t bytesPerNanosecond = 4;

Envelope envelopeOf(const Packet& packet) {
    const std::span<const std::int32_t> ints = packet.ints.ints();
    if (ints.size() < Envelope::sizeInts)
        throw SerializationError(fmt::format("expected an envelope of {} ints, found {}", Envelope::sizeInts, ints.size()));
    return {static_cast<MessageKind>(ints[0]), ints[1], ints[2], ints[Envelope::regionAt], ints[Envelope::clockAt], ints[5]};
}

/// Opens the packet to a letter, which is empty before. The letter is made in its place, since each message comes along here.
void open(Packet& packet, std::optional<Letter>& letter) {
    const Envelope envelope = envelopeOf(packet);
    Letter& opened = letter.emplace();
    opened.from = packet.from;
    opened.envelope = envelope;
    opened.ints = std::move(packet.ints);
    if (packet.offered) [[unlikely]]
        opened.offered = std::move(packet.offered);
    if (!packet.regionsAround.empty()) [[unlikely]]
        opened.regionsAround = std::move(packet.regionsAround);
    opened.missingInts = packet.missingInts;
}

/// Whether the packet belongs to the search for deadlocks, which does not count its own letters.
bool isOfSearch(const Packet& packet) {
    const std::span<const std::int32_t> ints = packet.ints.ints();
    return packet.channel == Channel::Control && !ints.empty() && ints.front() == static_cast<std::int32_t>(MessageKind::Standstill);
}

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

/// Tells a simulation what the rank waits for, as long as this object lives.
class WaitTextScope {
public:
    WaitTextScope(Transport& transport, Transport::WaitText text)
        : transport_(transport),
          text_(std::move(text)),
          before_(transport.describeWaitBy(&text_)) {}
    WaitTextScope(const WaitTextScope&) = delete;
    WaitTextScope& operator=(const WaitTextScope&) = delete;
    ~WaitTextScope() { transport_.describeWaitBy(before_); }

private:
    Transport& transport_;
    const Transport::WaitText text_;
    const Transport::WaitText* const before_;
};

/// Sets the filter for which arrays are taken as they are offered; null: for no letter.
class LentScope {
public:
    LentScope(const Filter*& place, const Filter* filter) noexcept : place_(place), before_(std::exchange(place, filter)) {}
    LentScope(const LentScope&) = delete;
    LentScope& operator=(const LentScope&) = delete;
    ~LentScope() { place_ = before_; }

private:
    const Filter*& place_;
    const Filter* const before_;
};

[[noreturn]] void failKindOfControl(MessageKind kind) {
    const char* name = KindsAbove::nameOf(kind);
    throw SerializationError(fmt::format("a letter of kind {}{} does not belong on the control channel", static_cast<int>(kind),
                                         name != nullptr ? fmt::format(" ({})", name) : ""));
}

}    // namespace

/// The parts that only sources know.
struct Mailbox::Parts final : DueFailures::Surroundings, Standstill::Surroundings {
    struct UntakenLetter {
        Letter letter;
        Channel channel = Channel::Data;
        bool isForCaller = false;    ///< the letter is for the call that waits
    };
    /// Packets and letters that have come but could not be taken in, for lack of memory. The next step takes them in.
    struct Untaken {
        std::optional<Packet> packet;    ///< not opened yet
        std::optional<UntakenLetter> letter;
        bool isOfGroup = false;    ///< control letters wait in the transport of the group
    };

    Parts(Mailbox& mailbox, GroupTransport* group)
        : owner(mailbox),
          regions(mailbox.transport().size()),
          standstill(*this, mailbox.transport(), group != nullptr),
          departures(mailbox, mailbox.transport(), group != nullptr),
          arrived(mailbox.thread()),
          background(mailbox),
          nest(mailbox, regions, takenInRegions, group) {}

    std::int32_t innermostRegion() const noexcept override { return regions.innermost(); }
    std::vector<std::int32_t> regionsAround() const override { return nest.regionsAround(); }
    const DueFailures* dueAround() const noexcept override { return nest.around() != nullptr ? &nest.around()->due() : nullptr; }
    bool hasLeft(int rank) const noexcept override { return departures.hasLeft(rank); }
    void sendOfSearch(int to, const Envelope& envelope, const std::function<void(IntWriter&)>& write) override {
        if (departures.isLost(to)) return;
        IntBuffer ints = owner.pack(envelope, write);
        regions.stamp(ints, regions.innermost());
        owner.transport().startSend(to, Channel::Control, std::move(ints));    // not postInts(), which would count the letter
    }

    Mailbox& owner;
    Regions regions;
    Standstill standstill;
    Departures departures;
    DueFailures due{*this};
    MailboxHooks hooks;
    KeptLetters arrived;
    Background background;
    Untaken untaken;
    TakenInRegions takenInRegions;    ///< used in the mailbox of a group
    GroupNest nest;                   ///< the last member: the mailboxes inside hear first that this one ends
};

Mailbox::Mailbox(Transport& transport, const ObjectFactory& factory, std::shared_ptr<OneThread> thread, GroupTransport* group)
    : transport_(transport),
      thread_(std::move(thread)),
      factory_(factory),
      parts_(SoleOwner<Parts>::make(*this, group)),
      regions_(parts_->regions),
      standstill_(parts_->standstill),
      departures_(parts_->departures),
      due_(parts_->due),
      hooks_(parts_->hooks),
      arrived_(parts_->arrived),
      background_(parts_->background),
      nest_(parts_->nest) {}

Mailbox::Mailbox(Transport& transport, const ObjectFactory& factory)
    : Mailbox(transport, factory, std::make_shared<OneThread>(transport.rank()), nullptr) {
    if (!transport.hasVirtualTime())
        standstill_.setQuietTime(Standstill::usualQuietTime);    // a simulation finds deadlocks itself, at once
}

Mailbox::Mailbox(GroupTransport& transport, const ObjectFactory& factory)
    : Mailbox(transport, factory, transport.around()->thread_, &transport) {}

Mailbox::~Mailbox() = default;

bool Mailbox::hasUnsent() const noexcept { return transport_.pendingSends() > 0 || nest_.outermost().background_.hasUnsent(); }

void Mailbox::throwIfDue() {
    thread_->require();
    const bool isAlone = nest_.group() == nullptr && nest_.inside().empty();
    if (!isAlone || due_.isAny() || regions_.innermost() != 0) throwWhatIsDue();
}

// Sending.

void Mailbox::postInts(int to, Channel channel, IntBuffer ints) {
    const OneThread::Call call(*thread_);
    if (departures_.isLost(to)) return;
    if (channel == Channel::Control) {    // control letters may be sent while another one is handled: never wait
        regions_.stamp(ints, regions_.innermost());
        transport_.startSend(to, channel, std::move(ints));
        return standstill_.noteSent(to);
    }
    postData(to, ints, nullptr);
    if (background_.isInStep()) return;    // already within a step: a letter taken in here would overtake the letter of that step
    if (++postCount_ % postsPerStep != 0) return;
    try {
        stepAndKeep();
    } catch (const std::bad_alloc&) {
        // The letter has left already. A later step takes in what has come.
    }
    waitForRoom();
}

void Mailbox::postNow(int to, IntBuffer ints, std::shared_ptr<const void> holder) {
    const OneThread::Call call(*thread_);
    if (!departures_.isLost(to)) postData(to, ints, holder);
}

void Mailbox::postData(int to, IntBuffer& ints, const std::shared_ptr<const void>& holder) {
    const bool hasNoRegion = ints.ownSize() != 0 && KindsAbove::isForCalls(static_cast<MessageKind>(ints.data()[0]));
    regions_.stamp(ints, hasNoRegion ? 0 : background_.regionOr(regions_.innermost()));
    if (holder) {
        transport_.startHeld(to, std::move(ints), holder);
    } else {
        transport_.startSend(to, Channel::Data, std::move(ints));
    }
    standstill_.noteSent(to);    // not when the send throws: a receiver waits for every counted letter before this rank counts as having
                                 // left
    departures_.noteSent(to);
}

void Mailbox::giveBack(Letter&& letter) {
    const OneThread::Call call(*thread_);
    transport_.buffers().giveBack(std::move(letter.ints));
}

// Steps.

/// Moves on the background work of this mailbox and of its groups. So a rank that waits in one mailbox moves on all work inside it.
bool Mailbox::moveOn() {
    if (parts_->untaken.isOfGroup) [[unlikely]]
        takeInControl();
    bool hasMoved = background_.moveOn();
    for (Mailbox* inner : nest_.inside()) hasMoved = inner->moveOn() || hasMoved;
    return hasMoved;
}

/// Looks at the transport once. Returns whether something has arrived or moved.
bool Mailbox::step(std::optional<Letter>& letter) {
    const bool hasMoved = moveOn();
    if (parts_->untaken.letter) [[unlikely]] {
        takeInAgain(letter);
        return true;
    }
    std::optional<Packet> packet = parts_->untaken.packet ? std::exchange(parts_->untaken.packet, std::nullopt) : transport_.poll();
    if (hooks_.isCheckDue(packet.has_value())) checkBeside(packet);
    if (!packet) return hasMoved;
    takeIn(*packet, letter);
    return true;
}

/// Makes the idle check. When the check throws, the packet is kept for the next step, so that no packet is lost.
void Mailbox::checkBeside(std::optional<Packet>& packet) {
    try {
        hooks_.check();
    } catch (...) {
        parts_->untaken.packet = std::move(packet);
        throw;
    }
}

void Mailbox::takeIn(Packet& packet, std::optional<Letter>& letter) {
    if (departures_.isLost(packet.from)) return;    // the lost rank may live after all, but no rank counts on it any more
    try {
        if (packet.offered && !isTakenAsOffered(packet)) return transport_.decline(packet);    // the packet comes again without an offer
    } catch (const std::bad_alloc&) {
        parts_->untaken.packet = std::move(packet);
        throw;
    }
    const Channel channel = packet.channel;
    if (!isOfSearch(packet)) {
        if (!packet.regionsAround.empty()) [[unlikely]]
            parts_->takenInRegions.note(packet.from, packet.regionsAround);
        standstill_.noteTaken(packet.from);
    }
    open(packet, letter);
    regions_.noteArrival(letter->from, channel, letter->envelope.clock);
    if (channel == Channel::Data && letter->envelope.kind != MessageKind::Left) departures_.noteTaken(letter->from);
    takeIn(letter, channel);
}

void Mailbox::takeInAgain(std::optional<Letter>& letter) {
    Parts::UntakenLetter untaken = *std::exchange(parts_->untaken.letter, std::nullopt);
    letter.emplace(std::move(untaken.letter));
    if (!untaken.isForCaller) takeIn(letter, untaken.channel);
}

/// Takes a letter in. The letter stays when it is for the caller. After a std::bad_alloc the next step takes it in again.
void Mailbox::takeIn(std::optional<Letter>& letter, Channel channel) {
    try {
        if (isTakenOver(*letter, channel)) letter.reset();
    } catch (const std::bad_alloc&) {
        parts_->untaken.letter.emplace(Parts::UntakenLetter{std::move(*letter), channel});
        letter.reset();
        throw;
    }
}

/// Takes over a letter that is not for the caller. After a std::bad_alloc the letter is still whole.
bool Mailbox::isTakenOver(Letter& letter, Channel channel) {
    if (channel == Channel::Control) {
        departures_.noteControlLetter();
        handleControl(letter);
        return true;
    }
    if (letter.envelope.kind == MessageKind::Left) {
        departures_.noteFarewell(letter);
        return true;
    }
    const bool isMark = letter.envelope.kind == MessageKind::RegionFailed;    // its arrival has been noted
    if (isMark || regions_.isOver(letter.envelope.region)) {
        giveBack(std::move(letter));
        return true;
    }
    if (letter.envelope.kind == MessageKind::Group && giveToGroup(channel, letter)) {
        giveBack(std::move(letter));
        return true;
    }
    const bool isOfCollective = letter.envelope.kind == MessageKind::Collective || letter.envelope.kind == MessageKind::GivenUp;
    if (isOfCollective) {
        const MailboxHooks::StepFate fate = hooks_.fateOf(letter);
        if (fate == MailboxHooks::StepFate::Dropped) giveBack(std::move(letter));
        if (fate != MailboxHooks::StepFate::Kept) return true;
    }
    if (hooks_.takesAtOnce(letter)) {
        giveBack(std::move(letter));
        return true;
    }
    return arrived_.offer(letter);
}

/// Whether a call in takeLent() waits for this packet, and the sender still waits in its offer.
bool Mailbox::isTakenAsOffered(Packet& packet) {
    if (lentFor_ == nullptr) return false;
    const Letter letter{packet.from, envelopeOf(packet), IntBuffer()};
    if (!lentFor_->matches(letter) || regions_.isOver(letter.envelope.region) || arrived_.isExpected(letter)) return false;
    return packet.offered->open();
}

/// Makes one step and keeps its letter. True when something has arrived.
bool Mailbox::stepAndKeep() {
    std::optional<Letter> letter;
    const bool hasArrived = step(letter);
    keep(letter);
    return hasArrived;
}

/// Keeps the letter, if there is one, for a later call that waits for it.
void Mailbox::keep(std::optional<Letter>& letter) {
    if (!letter) return;
    try {
        arrived_.add(std::move(*letter));
    } catch (const std::bad_alloc&) {
        parts_->untaken.letter.emplace(Parts::UntakenLetter{std::move(*letter), Channel::Data, true});
        letter.reset();
        throw;
    }
    letter.reset();
}

void Mailbox::handleControl(Letter& letter) {
    const bool isOfRegion = letter.envelope.kind == MessageKind::Exception || letter.envelope.kind == MessageKind::Group;
    if (isOfRegion && regions_.isOver(letter.envelope.region)) return giveBack(std::move(letter));
    IntReader in(letter.body(), factory_);
    switch (letter.envelope.kind) {
        case MessageKind::RegionFailed: {
            in.expectEnd();
            if (letter.envelope.number != 0) nest_.noteRegionFailed(letter);
            giveBack(std::move(letter));
            return;
        }
        case MessageKind::Exception: {
            // Flow B, last step: an exception that belongs to no call wakes the call that this rank is in.
            due_.add({ExceptionMessage::read(in), letter.envelope.region, letter.regionsAround});
            giveBack(std::move(letter));
            return;
        }
        case MessageKind::Standstill: {
            standstill_.handle(letter);
            giveBack(std::move(letter));
            return;
        }
        case MessageKind::Lost: {
            departures_.noteLost(letter);
            giveBack(std::move(letter));
            return;
        }
        case MessageKind::Group: {
            if (!giveToGroup(Channel::Control, letter)) return hooks_.unhandled().add(std::move(letter));
            giveBack(std::move(letter));
            return;
        }
        case MessageKind::GivenUp: {
            due_.stop(ExceptionMessage::read(in), letter.regionsAround);    // the ranks will never meet again
            giveBack(std::move(letter));
            return;
        }
        case MessageKind::Stop: {
            std::string reason;
            in >> reason;
            in.expectEnd();
            due_.stop(std::make_exception_ptr(Terminated(reason, letter.envelope.number)), letter.regionsAround);
            break;
        }
        case MessageKind::Shrink:
        case MessageKind::Left: break;
        default:
            if (KindsAbove::isForHandler(letter.envelope.kind)) break;
            failKindOfControl(letter.envelope.kind);
    }
    if (hooks_.handle(letter)) giveBack(std::move(letter));
}

// Letters of groups.

/// Gives the letter to its group. False when this rank may still make the group.
bool Mailbox::giveToGroup(Channel channel, const Letter& letter) {
    const std::vector<Mailbox*>& inside = nest_.inside();
    const auto inner = std::find_if(inside.begin(), inside.end(),
                                    [&letter](const Mailbox* one) { return one->nest_.group()->id() == letter.envelope.key; });
    if (inner == inside.end()) return letter.envelope.key < nest_.nextGroup();
    if (isDropped(**inner)) return true;    // the group is as good as gone
    (*inner)->nest_.group()->give(channel, letter);
    if (channel == Channel::Data) return true;
    try {
        (*inner)->takeInControl();
    } catch (const std::bad_alloc&) {
        // A later step takes the letter in: it belongs to the group already.
    }
    return true;
}

/// Takes in the control letters of this group.
void Mailbox::takeInControl() {
    parts_->untaken.isOfGroup = true;
    std::optional<Letter> letter;    // stays empty: control letters are for no caller
    if (parts_->untaken.letter && parts_->untaken.letter->channel == Channel::Control) takeInAgain(letter);
    while (std::optional<Packet> packet = nest_.group()->takeControl()) takeIn(*packet, letter);
    parts_->untaken.isOfGroup = false;
}

// Exceptions that are due.

void Mailbox::throwWhatIsDue() {
    if (nest_.isUnwinding()) return;
    if (Mailbox* const around = nest_.around()) {
        around->throwIfDue();
    } else {
        tellDropped(*this);
    }
    throwFailures();
    due_.throwIfStopped();
    due_.throwIfSummoned();
    if (regions_.innermost() != 0) departures_.throwIfAnyLost();    // the ranks cannot meet at the end of the region any more
    regions_.throwIfFailed();
    for (Mailbox* inner : nest_.inside()) inner->throwDueInside();
}

/// Throws the exceptions that other ranks threw on this one.
void Mailbox::throwFailures() {
    const std::exception_ptr failure = due_.takeNext(regions_.last());
    if (!failure) return;
    nest_.noteDue(failure);
    std::rethrow_exception(failure);
}

/// Throws the exceptions that must wake a wait of the mailbox around.
void Mailbox::throwDueInside() {
    throwFailures();
    regions_.throwIfFailed();
    for (Mailbox* inner : nest_.inside()) inner->throwDueInside();
}

// Waits. All of them are one loop.

/// The one loop of all waits. After each step it calls isReached(letter) with the letter of the step, if any, which isReached may take.
/// False when the time is over.
template <class IsReached, class Description>
bool Mailbox::wait(const Wait& wait, const IsReached& isReached, const Description& describe) {
    if (background_.isWithinStep()) {
        throw UsageError(
            "an operator, or a function that writes or reads values, must not wait in the connector, which calls the function while it "
            "waits itself");
    }
    Searches searches(*this);
    const bool mayStandStill = wait.dependsOnOthers() && searches.isAnyOn();
    const auto describeAll = [&] { return this->describe(wait.filter, describe); };
    const auto text = [&] { return nest_.countedIn(nest_.outermost(), describeAll()).inWords("\n    "); };
    std::optional<WaitTextScope> textScope;
    if (transport_.hasVirtualTime()) textScope.emplace(nest_.outermost().transport_, std::ref(text));
    Backoff backoff;
    unsigned letterCount = 0;
    int stepsWithoutMemory = 0;
    unsigned looksLeft = transport_.hasVirtualTime() ? 1 : looksBeforeTimeout;
    for (;;) {
        bool hasArrived = false;
        bool isOver = false;
        std::optional<Letter> letter;
        try {
            arrived_.takeBack();
            hasArrived = step(letter);
            isOver = isReached(letter);
            keep(letter);
        } catch (const std::bad_alloc&) {
            // A later step takes in what has come. A wait that no exception may interrupt goes on: other ranks count on this rank there.
            if (wait.isInterruptible() || ++stepsWithoutMemory == mostStepsWithoutMemory) throw;
            hasArrived = true;
        }
        if (isOver) return true;
        if (wait.isInterruptible()) throwIfDue();
        searches.throwIfStuck();
        if (hasArrived) {
            backoff.reset();
            if (++letterCount % lettersPerLook == 0 && isPast(wait.until)) return false;
            continue;
        }
        if (wait.filter != nullptr) {
            departures_.throwIfNobodyCanSend(*wait.filter);
        } else if (wait.waiter == Waiter::Call) {
            departures_.throwNewLoss();
        }
        if (looksLeft > 1) {
            --looksLeft;
        } else if (isPast(wait.until)) {
            return false;
        }
        Clock::time_point wakeAt = wait.until;
        const bool isLong = backoff.isResting() || transport_.hasVirtualTime();
        if (isLong) {
            if (doBeside(wait) && isReached(letter)) return true;
            const Clock::time_point nextWork = wait.isInterruptible() ? nest_.outermost().hooks_.nextWork() : Clock::time_point::max();
            const bool mayBeStuck = mayStandStill && nextWork == Clock::time_point::max() && !hasUnsent();
            wakeAt = mayBeStuck ? searches.look(wait.waiter, std::cref(describeAll)) : std::min(wakeAt, nextWork);
        }
        searches.throwIfStuck();
        backoff.pause(transport_, wakeAt);
    }
}

/// Does the work that a rank has to do before it rests in a wait. True: the work may have brought about what the wait is for.
bool Mailbox::doBeside(const Wait& wait) {
    MailboxHooks& hooks = nest_.outermost().hooks_;
    hooks.sendHeldBack();
    if (wait.beside != nullptr) {
        const Clock::time_point now = transport_.now();
        if (wait.beside->next() <= now) wait.beside->attend(now);
    }
    if (!wait.isInterruptible() || !hooks.hasWork()) return false;
    // The work may poll. It reads no letter of this wait, so that it must not take any as it is offered: the sender would wait for ever.
    const LentScope scope(nest_.outermost().lentFor_, nullptr);
    hooks.work();
    return true;
}

/// The description of a wait, with what this rank may have overlooked.
template <class Description>
Awaited Mailbox::describe(const Filter* filter, const Description& awaited) {
    Awaited description = awaited();
    description.remarks = remarksOn(nest_.overlooked(), filter);
    return description;
}

template <class Description>
void Mailbox::throwTimeout(const Filter* filter, const Description& awaited) {
    throw TimeoutError(describe(filter, awaited),
                       std::chrono::duration_cast<std::chrono::microseconds>(transport_.now() - nest_.limit().since));
}

template <class IsReached, class Description>
void Mailbox::waitOrThrow(const Wait& one, const IsReached& isReached, const Description& describe) {
    if (!wait(one, isReached, describe)) throwTimeout(one.filter, describe);
}

void Mailbox::waitUntil(const std::function<bool()>& condition, const Describe& describe, Waiter waiter) {
    const OneThread::Call call(*thread_);
    if (condition()) return;
    nest_.requireNoUnwinding();
    throwIfDue();
    const auto isReached = [&](std::optional<Letter>& arrived) {
        keep(arrived);
        return condition();
    };
    waitOrThrow({waiter, nest_.limit().until}, isReached, describe);
}

Letter Mailbox::take(const Filter& filter, Waiter waiter) { return takeNext(filter, waiter, OneThread::Call(*thread_)); }

/// Waits like take(). From the look at the letters that are here until the end of the wait, no other thread takes letters in.
Letter Mailbox::takeNext(const Filter& filter, Waiter waiter, const OneThread::Call& call) {
    nest_.requireNoUnwinding();
    throwIfDue();
    Letter found;    // the result, made in the place where the caller wants it
    if (std::optional<Letter> kept = arrived_.take(filter, call)) {
        found = std::move(*kept);
        return found;
    }
    const MailboxHooks& hooks = nest_.outermost().hooks_;
    const auto newsCount = [&] { return hooks.workCount() + arrived_.takenBackCount(); };
    std::uint32_t newsBefore = newsCount();
    const auto isFound = [&](std::optional<Letter>& arrived) {
        if (newsBefore == newsCount()) [[likely]] {
            if (!arrived || !filter.matches(*arrived)) return false;
            found = std::move(*arrived);
            arrived.reset();
            return true;
        }
        keep(arrived);               // as the latest of the letters that are here
        newsBefore = newsCount();    // the work may have polled, and kept the letter; or a dropped expectation had it
        std::optional<Letter> kept = arrived_.take(filter, call);
        if (kept) found = std::move(*kept);
        return kept.has_value();
    };
    waitOrThrow({waiter, nest_.limit().until, &filter}, isFound, [&filter] { return filter.awaited(); });
    return found;
}

Letter Mailbox::takeLent(const Filter& filter) {
    const OneThread::Call call(*thread_);
    const LentScope scope(lentFor_, &filter);
    return takeNext(filter, Waiter::Call, call);
}

void Mailbox::postLent(int to, IntBuffer ints) {
    const OneThread::Call call(*thread_);
    if (departures_.isLost(to)) return;
    regions_.stamp(ints, regions_.innermost());
    const auto copyTime = std::chrono::nanoseconds(ints.size() * sizeof(std::int32_t) / bytesPerNanosecond);
    {
        const OfferScope offer(transport_, to, std::move(ints));
        standstill_.noteSent(to);
        departures_.noteSent(to);
        const auto isOver = [this] { return !transport_.isOffering() || due_.isAny() || nest_.isUnwinding(); };
        const Clock::time_point until = std::min(nest_.limit().until, transport_.now() + copyTime);
        try {
            if (!isOver()) waitFor({Waiter::Ending, until}, isOver, [] { return Awaited(); });
        } catch (const std::bad_alloc&) {
            // The letter has left already. The offer ends early, and a copy of the arrays leaves.
        }
    }
    waitForRoom();
}

bool Mailbox::awaitLetter(const Filter& filter, const Describe& describe, Clock::time_point time, Waiter waiter, const BesideWait* beside) {
    const OneThread::Call call(*thread_);
    nest_.requireNoUnwinding();
    throwIfDue();
    const auto isHere = [&] {
        return departures_.hasUntakenLoss() || arrived_.find([&](const Letter& letter) { return filter.matches(letter); }) != nullptr;
    };
    if (isHere()) return true;
    const bool endsBefore = time < nest_.limit().until;
    if (waitFor({waiter, std::min(time, nest_.limit().until), &filter, beside}, isHere, describe)) return true;
    if (endsBefore) return false;
    throwTimeout(&filter, describe);
}

Letter Mailbox::take(Expectation& expectation) {
    const OneThread::Call call(*thread_);
    if (expectation.isComplete() && !expectation.hasLetter())
        FERRY_THROW(UsageError("all messages of this expectation have been taken already"));
    await(expectation, [&expectation] { return expectation.hasLetter(); });
    return expectation.take();
}

void Mailbox::awaitAllOf(Expectation& expectation) {
    await(expectation, [&expectation] { return expectation.isComplete(); });
}

template <class IsEnough>
void Mailbox::await(Expectation& expectation, const IsEnough& isEnough) {
    const OneThread::Call call(*thread_);
    nest_.requireNoUnwinding();
    throwIfDue();
    if (isEnough()) return;
    waitOrThrow(
        {Waiter::Call, nest_.limit().until, &expectation.filter()}, [&isEnough](const auto&) { return isEnough(); },
        [&expectation] { return expectation.filter().awaited(); });
}

/// A loop of polls may be a wait. So a poll does the work of a wait: the awaited letter may be an answer to what is held back here.
void Mailbox::poll(PollWork work) {
    // Takes the packets that have arrived by now, and no more: a busy sender must not hold this rank here.
    constexpr int maxLetters = 64;
    const OneThread::Call call(*thread_);
    for (int count = 0; count < maxLetters && stepAndKeep(); ++count) {}
    arrived_.takeBack();
    if (work == PollWork::NoneAndNothingDue) return;
    throwIfDue();
    if (work == PollWork::None || nest_.isUnwinding()) return;
    doBeside({});
    throwIfDue();
}

void Mailbox::flush() {
    const OneThread::Call call(*thread_);
    throwIfDue();
    waitOrThrow(
        {Waiter::Sending, nest_.limit().until}, [this](const auto&) { return !hasUnsent() || nest_.isUnwinding(); },
        [this] { return receiversOfUnsent(); });
}

Awaited Mailbox::receiversOfUnsent() const {
    std::vector<int> ranks;
    for (int rank = 0; rank < transport_.size(); ++rank) {
        if (transport_.undelivered(rank) > 0) ranks.push_back(rank);
    }
    std::string what = ranks.empty() ? "its messages to leave" : fmt::format("its messages to rank {} to leave", fmt::join(ranks, ", "));
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

bool Mailbox::pumpUntil(const std::function<bool()>& condition, Clock::time_point deadline, Waiter waiter, const Describe& describe) {
    const OneThread::Call call(*thread_);
    return condition() || waitFor({waiter, deadline}, condition, describe);
}

/// Waits until few sends are under way. At a deadline it returns: the letters are sent already. For the same reason the next call throws
/// the std::bad_alloc of this wait.
void Mailbox::waitForRoom() {
    if (!isFull() || nest_.isUnwinding()) return;
    const auto describe = [this] { return receiversOfUnsent(); };
    try {
        throwIfDue();
        waitFor(
            {Waiter::Sending, nest_.limit().until}, [this] { return !isFull() || nest_.isUnwinding(); }, describe);
    } catch (const std::bad_alloc&) {
        insist([&] { due_.throwSoon(std::current_exception()); });
    }
}

}    // namespace ferry::detail
