#include <ferry/connector/collective/host/Collectives.hpp>

#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/connector/collective/host/HostCollectives.hpp>
#include <ferry/connector/message/Background.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/droppedConnectors.hpp>
#include <ferry/connector/message/state/DueFailures.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/message/state/MailboxHooks.hpp>
#include <ferry/connector/message/state/Regions.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

std::string describeStep(const Filter& filter) {
    return fmt::format("the part of {} in the {}", sourceInWords(filter.from()), describeCall(filter.key()));
}

std::string describeNested(const std::string& call, std::int32_t aroundKey) {
    const bool isByTurns = aroundKey == keyOf(Operation::Ordered, 0);
    return fmt::format("{} is called inside {}{}: other ranks do not call it there", call, describeCall(aroundKey),
                       isByTurns ? "" : ", by an operator or while a value is written or read");
}

/// Describes a call within a started collective. The text cannot name that collective.
std::string describeInBackground(const std::string& call) {
    return fmt::format("{} is called by an operator or while a value is written or read: other ranks do not call it there", call);
}

/// Tells whether a failed region is involved. Ranks that leave a failed region are in different places, so their steps contradict nothing.
bool isOfFailed(Mailbox& mailbox, std::int32_t region) noexcept {
    return mailbox.nest().hasAroundFailed() || (region != 0 && mailbox.regions().hasAnyFailed());
}

}    // namespace

Collectives::InsideCollective::InsideCollective(Collectives& collectives, const Envelope& envelope) noexcept : collectives_(collectives) {
    collectives_.inside_ = envelope;
}

Collectives::InsideCollective::~InsideCollective() {
    if (collectives_.hasNotices_) collectives_.dropNotices(*collectives_.inside_);
    collectives_.inside_.reset();
}

Collectives::Collectives(Mailbox& mailbox) : mailbox_(mailbox), started_(mailbox) {
    mailbox_.hooks().onCollective([this](Letter& letter) {
        if (started_.offer(letter)) return MailboxHooks::StepFate::Taken;
        const CollectiveLog::Step step{letter.from, letter.envelope};
        if (log_.noteArrival(step)) {
            noteContradiction(step);
            return MailboxHooks::StepFate::Dropped;    // read as this rank's steps, its values would be of the wrong type
        }
        return isWanted(letter) ? MailboxHooks::StepFate::Kept : MailboxHooks::StepFate::Dropped;
    });
    mailbox_.nest().onRegionAround([this] {
        return [this, givenUp = givenUp_, log = log_, count = enteredCount_, history = history_] {
            givenUp_ = givenUp;
            contradicted_.reset();
            log_ = log;
            log_.forget([](std::int32_t) { return true; });    // a rank that was ahead was in the region, too
            enteredCount_ = count;
            history_ = history;
        };
    });
}

void Collectives::findHost() {
    Transport& transport = mailbox_.transport();
    const char* const isWanted = std::getenv("FERRY_HOST_MEMORY");
    const bool isRefused = (isWanted != nullptr && std::string_view(isWanted) == "off") || transport.size() > HostBoard::mostRanks;
    HostTeam* const team = transport.hostTeam(isRefused ? 0 : HostBoard::memoryBytes(transport.size()));
    if (team != nullptr) board_ = SoleOwner<HostBoard>::make(*team, transport.rank(), transport.size());
}

void Collectives::noteContradiction(const CollectiveLog::Step& step) {
    if (isOfFailed(mailbox_, step.envelope.region) || givenUp_.has(step.envelope) || isContradicted(step.envelope)) return;
    mailbox_.due().throwSoon(std::make_exception_ptr(log_.mismatch(mailbox_.transport().rank(), step)), step.envelope.region);
    contradicted_ = step.envelope;
}

bool Collectives::isWanted(const Letter& letter) {
    const Envelope& envelope = letter.envelope;
    if (givenUp_.has(envelope)) return false;
    if (envelope.kind != MessageKind::GivenUp) return true;
    const bool isInside = inside_ && isOfOneCollective(*inside_, envelope);
    if (log_.hasEntered(envelope) && !isInside) return false;    // this rank has finished the collective
    hasNotices_ = true;
    return true;
}

/// Drops the notices of a collective that this rank has finished.
void Collectives::dropNotices(const Envelope& envelope) {
    const auto isNotice = [](const Letter& letter) { return letter.envelope.kind == MessageKind::GivenUp; };
    mailbox_.arrived().removeIf([&](const Letter& letter) { return isNotice(letter) && isOfOneCollective(letter.envelope, envelope); });
    hasNotices_ = mailbox_.arrived().find(isNotice) != nullptr;
}

Envelope Collectives::enter(Operation operation, int root, std::int32_t type) {
    // Collectives over the board need no letters. The letters of other ranks must still be received now and then.
    constexpr unsigned collectivesPerLook = 16;
    if (board_ && enteredCount_ % collectivesPerLook == 0 && !mailbox_.nest().isUnwinding()) {
        try {
            mailbox_.poll(Mailbox::PollWork::NoneAndNothingDue);    // a std::bad_alloc of another rank must not end here
        } catch (const std::bad_alloc&) {
            // The letter that has arrived waits for the next poll. The other ranks are in this collective already.
        }
    }
    mailbox_.throwIfDue();
    mailbox_.departures().throwIfAnyLost();
    mailbox_.nest().requireNoUnwinding();    // the other ranks are elsewhere, and would take this rank's steps for another collective's
    mailbox_.nest().requireOwnRegion();
    if (isNested()) refuseNested(describeCall(keyOf(operation, root)));
    Envelope envelope{MessageKind::Collective, keyOf(operation, root), static_cast<std::int32_t>(++enteredCount_)};
    envelope.region = mailbox_.regions().innermost();
    envelope.type = type;
    std::optional<CollectiveLog::Step> other;
    try {
        history_.enter(envelope.key);
        other = log_.enter(envelope);
    } catch (const std::bad_alloc&) {
        giveUp(envelope);    // the other ranks wait for this rank's steps
        throw;
    }
    if (!other) return envelope;
    contradicted_ = envelope;
    try {
        throw log_.mismatch(mailbox_.transport().rank(), *other);
    } catch (const CollectiveMismatch&) {
        giveUp(envelope);    // for ranks that call the same collective as this one
        throw;
    }
}

bool Collectives::isOfDropped() const noexcept { return isDropped(mailbox_); }

bool Collectives::isNested() const noexcept { return inside_ || mailbox_.background().isWithinStep(); }

void Collectives::refuseNested(const std::string& call) const {
    throw UsageError(inside_ ? describeNested(call, inside_->key) : describeInBackground(call));
}

Collectives::Mark Collectives::beginRegion() {
    if (isNested()) refuseNested("guarded");
    return {enteredCount_, board_ ? board_->mark() : HostBoard::Mark(), std::exchange(history_, CollectiveHistory())};
}

void Collectives::endRegion(const Mark& begin) noexcept {
    const CollectiveHistory inRegion = std::exchange(history_, begin.history);
    history_.append(inRegion);
}

void Collectives::goBack(const Mark& begin, std::int32_t clock) {
    enteredCount_ = begin.enteredCount;
    if (board_) board_->goBack(begin.onBoard, static_cast<std::uint32_t>(clock));
    history_ = begin.history;
    const auto isOver = [this](std::int32_t region) { return mailbox_.regions().isOver(region); };
    log_.forget(isOver);
    started_.endThoseOf(isOver);
}

void Collectives::giveUp(const Envelope& envelope) {
    if (givenUp_.has(envelope)) return;
    givenUp_.add(envelope);
    mailbox_.arrived().removeIf([&envelope](const Letter& letter) {
        return letter.envelope.kind == MessageKind::Collective && isOfOneCollective(letter.envelope, envelope);
    });
    tellGivenUp(mailbox_, envelope, std::current_exception());
}

void Collectives::throwIfGivenUp(const Envelope& envelope) {
    if (!hasNotices_) return;
    const Filter notices = Filter({MessageKind::GivenUp}).withKey(envelope.key).withNumber(envelope.number);
    if (const std::optional<Letter> notice = mailbox_.arrived().take(notices)) throwGivenUp(*notice, mailbox_.factory());
}

std::string Collectives::describePartOf(std::span<const int> ranks, const Envelope& envelope) {
    return fmt::format("the part of rank {} in the {}", fmt::join(ranks, ", "), describeCall(envelope.key));
}

Letter Collectives::takeStep(const Envelope& envelope, int from) {
    Letter letter = mailbox_.take(filterFor(envelope, from));
    if (letter.envelope.kind != MessageKind::GivenUp) return letter;
    try {
        throwGivenUp(letter, mailbox_.factory());
    } catch (...) {
        giveUp(envelope);    // a rank that waits for this one hears of it from this one
        throw;
    }
}

Filter Collectives::filterFor(const Envelope& envelope, int from) noexcept {
    return Filter({MessageKind::Collective, MessageKind::GivenUp}, from)
        .withKey(envelope.key)
        .withNumber(envelope.number)
        .describedBy(describeStep);
}

void Collectives::barrier() {
    mailbox_.thread().require();
    if (mailbox_.nest().failIfUnwinding()) return;
    perform(Operation::Barrier, 0, carriesNothing, [this](const Envelope& envelope) {
        if (board_) return HostCollectives(*this, envelope, {}).barrier();
        const int rank = mailbox_.transport().rank();
        const int size = mailbox_.transport().size();
        for (int distance = 1; distance < size; distance *= 2) {
            mailbox_.post((rank + distance) % size, Channel::Data, envelope, [](IntWriter&) {});
            mailbox_.giveBack(takeStep(envelope, (rank - distance + size) % size));
        }
    });
}

Letter Collectives::broadcastFromRoot(const Envelope& envelope, int root, IntBuffer ints) {
    const TreePlace place = placeInTree(root, mailbox_.transport().size(), root);
    for (const int child : place.children) mailbox_.postInts(child, Channel::Data, ints);
    return Letter{root, envelope, std::move(ints)};
}

Letter Collectives::receiveBroadcast(const Envelope& envelope, int root) {
    const Transport& transport = mailbox_.transport();
    const TreePlace place = placeInTree(transport.rank(), transport.size(), root);
    Letter letter = takeStep(envelope, place.parent);
    for (const int child : place.children) mailbox_.postInts(child, Channel::Data, letter.wholeInts());
    return letter;
}

std::vector<Letter> Collectives::gatherOnRoot(const Envelope& envelope, IntBuffer own) {
    const Transport& transport = mailbox_.transport();
    std::vector<Letter> letters;
    for (int rank = 0; rank < transport.size(); ++rank)
        letters.push_back(rank == transport.rank() ? Letter{rank, envelope, std::move(own)} : takeStep(envelope, rank));
    return letters;
}

}    // namespace ferry::detail
