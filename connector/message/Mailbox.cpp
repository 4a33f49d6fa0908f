#include <ferry/connector/message/Mailbox.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/message/ExceptionMessage.hpp>
#include <ferry/connector/message/insist.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>

namespace ferry {

namespace {

// Number of sends between two steps. Even a rank that only sends must let its sends complete and hear of failures.
constexpr unsigned postsPerStep = 16;
// Number of letters between two idle checks of a rank that is never idle.
constexpr unsigned lettersPerCheck = 64;

// Time without any event before ranks ask each other whether any of them can go on.
constexpr std::chrono::seconds quietTime{1};

Envelope envelopeOf(const Packet& packet) {
    const std::span<const std::int32_t> ints = packet.ints.ints();
    if (ints.size() < Envelope::sizeInts)
        throw SerializationError(fmt::format("expected an envelope of {} ints, found {}", Envelope::sizeInts, ints.size()));
    return {static_cast<MessageKind>(ints[0]), ints[1], ints[2], ints[Envelope::regionAt], ints[Envelope::clockAt], ints[5]};
}

Letter open(Packet packet) {
    return Letter{packet.from,       envelopeOf(packet), std::move(packet.ints), std::move(packet.offered), std::move(packet.regionsAround),
                  packet.missingInts};
}

std::exception_ptr exceptionIn(IntReader& in, const ObjectFactory& factory) {
    ExceptionMessage message;
    message.readFromInts(in);
    in.expectEnd();
    return message.rebuild(factory);
}

/// Whether the packet was sent by postAside().
bool isAside(const Packet& packet) {
    const std::span<const std::int32_t> ints = packet.ints.ints();
    return packet.channel == Channel::Control && !ints.empty() && ints.front() == static_cast<std::int32_t>(MessageKind::Standstill);
}

}    // namespace

Mailbox::Mailbox(Transport& transport, const ObjectFactory& factory)
    : transport_(transport),
      thread_(std::make_shared<OneThread>(transport.rank())),
      rank_(transport.rank()),
      factory_(factory),
      regions_(transport.size()),
      standstill_(*this, transport.size()),
      hasLeft_(static_cast<std::size_t>(transport.size()), false) {
    if (!transport.hasVirtualTime()) standstill_.setQuietTime(quietTime);    // a simulation finds deadlocks itself, at once
}

void Mailbox::postInts(int to, Channel channel, IntBuffer ints) {
    const OneThread::Call call(*thread_);
    if (isLost(to)) return;
    if (channel == Channel::Control) {    // control letters may be sent while another one is handled: never wait
        regions_.stamp(ints, regions_.innermost());
        transport_.startSend(to, channel, std::move(ints));
        return standstill_.noteSent(to);
    }
    postNow(to, std::move(ints));
    if (isInBackground()) return;    // already within a step: a letter taken in here would overtake the letter of that step
    if (++postCount_ % postsPerStep != 0) return;
    stepAndKeep();
    if (isFull() && !isUnwinding()) waitForRoom();
}

void Mailbox::postAside(int to, IntBuffer ints) {
    if (isLost(to)) return;
    regions_.stamp(ints, regions_.innermost());
    transport_.startSend(to, Channel::Control, std::move(ints));
}

void Mailbox::postNow(int to, IntBuffer ints) {
    const OneThread::Call call(*thread_);
    if (isLost(to)) return;
    regions_.stamp(ints, stamp_.value_or(regions_.innermost()));
    transport_.startSend(to, Channel::Data, std::move(ints));
    standstill_.noteSent(to);    // not when the send throws: a receiver waits for every counted letter before this rank counts as having
                                 // left
    if (to == rank_) ++ownUnderWay_;
}

Mailbox::Step Mailbox::step() {
    const bool hasMoved = moveAllBackground();
    if (untaken_) [[unlikely]]
        return takeInAgain();
    std::optional<Packet> packet = unopened_ ? std::exchange(unopened_, std::nullopt) : transport_.poll();
    if (idleCheck_ && (!packet || ++letterCount_ % lettersPerCheck == 0)) checkBeside(packet);
    return packet ? takeIn(std::move(*packet)) : Step{hasMoved, std::nullopt};
}

/// Makes the idle check. When the check throws, the packet is kept for the next step, so that no packet is lost.
void Mailbox::checkBeside(std::optional<Packet>& packet) {
    try {
        idleCheck_();
    } catch (...) {
        unopened_ = std::move(packet);
        throw;
    }
}

Mailbox::Step Mailbox::takeIn(Packet packet) {
    if (isLost(packet.from)) return Step{true, std::nullopt};    // the lost rank may live after all, but no rank counts on it any more
    try {
        if (packet.offered && !isTakenAsOffered(packet)) {
            transport_.decline(std::move(packet));    // the packet comes again without an offer
            return Step{true, std::nullopt};
        }
    } catch (const std::bad_alloc&) {
        unopened_ = std::move(packet);
        throw;
    }
    const Channel channel = packet.channel;
    if (!isAside(packet)) standstill_.noteTaken(packet.from);
    Letter letter = open(std::move(packet));
    regions_.noteArrival(letter.from, channel, letter.envelope.clock);
    if (channel == Channel::Data && letter.from == rank_ && letter.envelope.kind != MessageKind::Left) --ownUnderWay_;
    try {
        return takeIn(letter, channel);
    } catch (const std::bad_alloc&) {
        untaken_.emplace(Untaken{std::move(letter), channel});
        throw;
    }
}

Mailbox::Step Mailbox::takeInAgain() {
    if (untaken_->isForCaller) return Step{true, std::move(std::exchange(untaken_, std::nullopt)->letter)};
    Untaken untaken = *std::exchange(untaken_, std::nullopt);
    try {
        return takeIn(untaken.letter, untaken.channel);
    } catch (const std::bad_alloc&) {
        untaken_.emplace(std::move(untaken));
        throw;
    }
}

/// Takes a letter in. After a std::bad_alloc the letter is still whole, and the caller can try again.
Mailbox::Step Mailbox::takeIn(Letter& letter, Channel channel) {
    if (channel == Channel::Control) {
        if (!leaving_.empty()) noteWhoHasLeft();
        handleControl(letter);
        return Step{true, std::nullopt};
    }
    if (letter.envelope.kind == MessageKind::Left) {
        noteFarewell(letter);
        return Step{true, std::nullopt};
    }
    const bool isMark = letter.envelope.kind == MessageKind::RegionFailed;    // its arrival has been noted
    if (isMark || regions_.isOver(letter.envelope.region)) {
        giveBack(std::move(letter));
        return Step{true, std::nullopt};
    }
    if (letter.envelope.kind == MessageKind::Group && giveToGroup(channel, letter)) {
        giveBack(std::move(letter));
        return Step{true, std::nullopt};
    }
    const bool isOfCollective = letter.envelope.kind == MessageKind::Collective || letter.envelope.kind == MessageKind::GivenUp;
    if (isOfCollective && collectiveWatch_) {
        const CollectiveFate fate = collectiveWatch_(letter);
        if (fate == CollectiveFate::Dropped) giveBack(std::move(letter));
        if (fate != CollectiveFate::Kept) return Step{true, std::nullopt};
    }
    if (!expectations_.isEmpty() && expectations_.offer(letter)) return Step{true, std::nullopt};
    return Step{true, std::move(letter)};
}

/// Whether a call in takeLent() waits for this packet, and the sender still waits in its offer.
bool Mailbox::isTakenAsOffered(Packet& packet) {
    if (lentFor_ == nullptr) return false;
    const Letter letter{packet.from, envelopeOf(packet), IntBuffer()};
    if (!lentFor_->matches(letter) || regions_.isOver(letter.envelope.region) || expectations_.wants(letter)) return false;
    return packet.offered->open();
}

/// Makes one step and keeps its letter. True when something has arrived.
bool Mailbox::stepAndKeep() {
    Step arrived = step();
    keep(arrived.letter);
    return arrived.hasArrived;
}

/// Keeps the letter, if there is one, for a later call that waits for it.
void Mailbox::keep(std::optional<Letter>& letter) {
    if (!letter) return;
    try {
        arrived_.add(std::move(*letter));
    } catch (const std::bad_alloc&) {
        untaken_.emplace(Untaken{std::move(*letter), Channel::Data, true});
        throw;
    }
    letter.reset();
}

void Mailbox::giveBack(Letter&& letter) {
    const OneThread::Call call(*thread_);
    transport_.buffers().giveBack(std::move(letter.ints));
}

void Mailbox::expect(const std::shared_ptr<Expectation>& expectation) {
    const OneThread::Call call(*thread_);
    expectations_.settle(arrived_);
    expectations_.add(expectation);
    const auto wants = [&](const Letter& letter) { return expectation->wants(letter); };
    arrived_.handOver(wants, [&](Letter&& letter) { expectation->give(std::move(letter)); });
}

/// Drops expected letters that are over. An expectation that loses its letters may then take others that have come meanwhile.
void Mailbox::forgetExpected(const std::function<bool(const Letter&)>& isOver) {
    expectations_.forget(isOver);
    const auto isExpected = [this](const Letter& letter) { return expectations_.wants(letter); };
    arrived_.handOver(isExpected, [this](Letter&& letter) { expectations_.offer(letter); });
}

void Mailbox::doInBackground(std::shared_ptr<BackgroundWork> work) {
    const OneThread::Call call(*thread_);
    background_.push_back({std::move(work), regionPath()});
    if (!isInBackground()) moveBackground();
}

/// While this object lives, letters that this mailbox and those around it post are part of a step.
class Mailbox::InBackground {
public:
    explicit InBackground(Mailbox& mailbox) noexcept : mailbox_(mailbox) { add(1); }
    InBackground(const InBackground&) = delete;
    InBackground& operator=(const InBackground&) = delete;
    ~InBackground() { add(-1); }

private:
    void add(int count) noexcept {
        for (Mailbox* mailbox = &mailbox_; mailbox != nullptr; mailbox = mailbox->around()) mailbox->inBackground_ += count;
    }

    Mailbox& mailbox_;
};

/// Makes one step of each background work. True when something has moved.
bool Mailbox::moveBackground() {
    const InBackground inBackground(*this);
    bool hasMoved = false;
    for (std::size_t i = 0; i < background_.size(); ++i) {
        const UnderWay underWay = background_[i];    // the step may begin other work
        setStamps(underWay.regions);
        const BackgroundWork::Progress progress = underWay.work->moveOn();
        hasMoved = hasMoved || progress != BackgroundWork::Progress::Waiting;
        if (progress == BackgroundWork::Progress::Done) background_[i].work.reset();
    }
    std::erase_if(background_, [](const UnderWay& underWay) { return underWay.work == nullptr; });
    setStamps({});
    return hasMoved;
}

std::optional<Letter> Mailbox::tryTake(const Filter& filter) {
    poll();
    return takeArrived(filter);
}

std::optional<Letter> Mailbox::takeArrived(const Filter& filter) {
    const OneThread::Call call(*thread_);
    if (!expectations_.isEmpty()) expectations_.settle(arrived_);
    return arrived_.take(filter);
}

void Mailbox::poll() {
    // Takes the packets that have arrived by now, and no more: a busy sender must not hold this rank here.
    constexpr int maxLetters = 64;
    const OneThread::Call call(*thread_);
    for (int count = 0; count < maxLetters && stepAndKeep(); ++count) {}
    throwIfDue();
}

void Mailbox::throwSoon(std::exception_ptr exception) { throwSoon(std::move(exception), regions_.innermost()); }

void Mailbox::throwSoon(std::exception_ptr exception, std::int32_t region) {
    failures_.push_back({std::move(exception), region, regionsAround()});
}

void Mailbox::throwWhatIsDue() {
    if (isUnwinding()) return;
    if (Mailbox* mailbox = around()) mailbox->throwIfDue();
    throwFailures();
    if (stopReason_) std::rethrow_exception(stopReason_);
    regions_.throwIfFailed();
    for (Mailbox* inner : inner_) inner->throwDueInside();
}

/// Throws the exceptions that other ranks threw on this one.
void Mailbox::throwFailures() {
    // An exception that was thrown inside of a region waits until this rank is in that region too.
    const auto due = std::find_if(failures_.begin(), failures_.end(), [this](const Due& failure) {
        return failure.region == 0 || !comesBefore(regions_.last(), failure.region);
    });
    if (due != failures_.end()) {
        const std::exception_ptr failure = std::move(due->exception);
        failures_.erase(due);
        if (!outermost().regionOwners_.empty()) outermost().regionOwners_.back()->regions_.noteDue(failure);
        std::rethrow_exception(failure);
    }
}

void Mailbox::failRegion() {
    if (regions_.hasInnermostFailed()) return;
    const std::int32_t region = regions_.innermost();
    regions_.noteFailure(region, transport_.rank());
    for (int rank = 0; rank < transport_.size(); ++rank) {
        if (rank == transport_.rank()) continue;
        insist([&] { post(rank, Channel::Control, Envelope{MessageKind::RegionFailed, 0, region}, [](IntWriter&) {}); });
    }
}

void Mailbox::requireNoUnwinding() {
    if (failIfUnwinding()) outermost().regionOwners_.back()->regions_.throwIfFailed();
}

void Mailbox::leaveFailedRegion(std::int32_t last, std::int32_t clock) {
    const std::int32_t region = regions_.innermost();
    insist([&] { regions_.leaveFailed(last, clock); });
    outermost().regionOwners_.pop_back();
    const auto isOver = [this](const Letter& letter) { return regions_.isOver(letter.envelope.region); };
    arrived_.removeIf(isOver);
    forgetExpected(isOver);
    std::erase_if(failures_, [this](const Due& failure) { return regions_.isOver(failure.region); });
    unhandled_.removeIf(isOver);
    for (Mailbox* inner : inner_) inner->restore(*this, region);
}

void Mailbox::onControl(MessageKind kind, std::function<void(const Letter&)> handler) {
    controlHandlers_[kind] = std::move(handler);
    const Filter ofKind({kind});
    unhandled_.handOver([&](const Letter& letter) { return ofKind.matches(letter); },
                        [&](Letter&& letter) { controlHandlers_[kind](letter); });
}

void Mailbox::handleControl(Letter& letter) {
    const bool isOfRegion = letter.envelope.kind == MessageKind::Exception || letter.envelope.kind == MessageKind::Group;
    if (isOfRegion && regions_.isOver(letter.envelope.region)) return giveBack(std::move(letter));
    IntReader in(letter.body(), factory_);
    switch (letter.envelope.kind) {
        case MessageKind::RegionFailed: {
            in.expectEnd();
            if (letter.envelope.number != 0) noteRegionFailed(letter);
            giveBack(std::move(letter));
            return;
        }
        case MessageKind::Exception: {
            // Flow B, last step: an exception that belongs to no call wakes the call that this rank is in.
            failures_.push_back({exceptionIn(in, factory_), letter.envelope.region, letter.regionsAround});
            giveBack(std::move(letter));
            return;
        }
        case MessageKind::Standstill: {
            standstill_.handle(letter);
            giveBack(std::move(letter));
            return;
        }
        case MessageKind::Lost: {
            handleLost(letter);
            giveBack(std::move(letter));
            return;
        }
        case MessageKind::Group: {
            if (!giveToGroup(Channel::Control, letter)) return unhandled_.add(std::move(letter));
            giveBack(std::move(letter));
            return;
        }
        case MessageKind::GivenUp: {
            stop(exceptionIn(in, factory_), letter.regionsAround);    // the ranks will never meet again
            giveBack(std::move(letter));
            return;
        }
        case MessageKind::Stop: {
            std::string reason;
            in >> reason;
            in.expectEnd();
            stop(std::make_exception_ptr(Terminated(reason, letter.envelope.number)), letter.regionsAround);
            break;
        }
        case MessageKind::Report:
        case MessageKind::Left: break;
        default:
            throw SerializationError(
                fmt::format("a letter of kind {} does not belong on the control channel", static_cast<int>(letter.envelope.kind)));
    }
    const auto handler = controlHandlers_.find(letter.envelope.kind);
    if (handler == controlHandlers_.end()) {
        unhandled_.add(std::move(letter));    // the job is still being set up
    } else {
        handler->second(letter);
        giveBack(std::move(letter));
    }
}

}    // namespace ferry
