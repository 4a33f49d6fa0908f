// The dispatcher's handling of letters from slaves: replies, exceptions, tasks given back, and tasks that handlers submit.
#include <ferry/framework/master/Dispatcher.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <list>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/NoMemoryForMessage.hpp>
#include <ferry/connector/exception/Report.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/message/ExceptionMessage.hpp>
#include <ferry/connector/message/insist.hpp>
#include <ferry/framework/journal/Journal.hpp>
#include <ferry/framework/monitor/JobMonitor.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/monitor/ifMemory.hpp>
#include <ferry/framework/schedule/slaveNumbers.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry {

namespace {

bool isCancellation(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const Cancelled&) {
        return true;
    } catch (...) {
        return false;
    }
}

}    // namespace

/// Whether a letter is in hand. Takes the next arrived letter if none is in hand.
bool Dispatcher::hasLetter() {
    if (inHand_) return true;
    std::optional<Letter> letter = connector_.mailbox().arrived().take(lettersOfSlaves());
    if (letter) inHand_.emplace().letter = std::move(letter);
    return inHand_.has_value();
}

void Dispatcher::takeIn(InHand& hand) {
    const MessageKind kind = hand.shared ? hand.shared->envelope.kind : hand.letter->envelope.kind;
    if (kind == MessageKind::TaskNotice) return takeInOrphaned(*hand.letter);
    if (!hand.shared) hand.shared = std::make_shared<const Letter>(std::move(*hand.letter));
    if (hand.shared->missingInts != 0) return takeInStart(hand.shared);
    if (!hand.isRead) read(hand);
    for (; hand.next < hand.parcels.size(); ++hand.next) takeIn(hand, hand.parcels[hand.next]);
    const bool isGivenBack = kind == MessageKind::Request && (hand.parcels.empty() || hand.parcels.front().number != newCall);
    if (isGivenBack && hand.shared->from > 0) schedule_.recallAnswered(slaveOfRank(hand.shared->from), connector_.now());
}

void Dispatcher::read(InHand& hand) {
    const Letter& letter = *hand.shared;
    hand.parcels = parcelsIn(letter);
    hand.slaveRank = letter.from;
    const bool areReplies = letter.envelope.kind == MessageKind::Response;
    const bool areNew = !areReplies && !hand.parcels.empty() && hand.parcels.front().number == newCall;
    if (areNew) leaveOutOfJournal(letter.from);
    if (!areReplies && !areNew) std::reverse(hand.parcels.begin(), hand.parcels.end());    // the first one is put back last
    if (areReplies) sharedObjects_.noteReply(letter.from);
    if (monitor_ != nullptr && letter.from > 0) monitor_->statistics().received(slaveOfRank(letter.from), letter.ints.size());
    hand.isRead = true;
}

void Dispatcher::takeIn(InHand& hand, const Parcel& parcel) {
    const int from = hand.shared->from;
    if (hand.shared->envelope.kind != MessageKind::Response) {
        if (parcel.number == newCall) return adopt(parcel);
        return takeBack(from, parcel);
    }
    if (isOriginOfReplies(parcel) && groups_.isSubMaster(from)) {
        hand.slaveRank = slaveBehind(from, parcel);
    } else {
        takeInReply(hand.shared, parcel, hand.slaveRank);
    }
}

/// Fails the calls of a reply letter that did not fit into memory. The job fails when the received start of the letter does not name all
/// calls.
void Dispatcher::takeInStart(const std::shared_ptr<const Letter>& letter) {
    std::exception_ptr reason;
    try {
        static_cast<void>(letter->body());
    } catch (const NoMemoryForMessage&) {
        reason = std::current_exception();
    }
    const ParcelHeads heads = parcelHeadsIn(*letter);
    if (letter->envelope.kind != MessageKind::Response || !heads.areAll) failJob(reason);
    sharedObjects_.noteReply(letter->from);
    for (const Parcel& parcel : heads.parcels) {
        if (isOriginOfReplies(parcel)) continue;
        const std::shared_ptr<Call> call = callAt(letter->from, parcel.number, "answers");
        if (!call) continue;
        schedule_.finished(slaveOfRank(letter->from), call->number, std::nullopt, connector_.now());
        call->answeringRank = letter->from;
        fail(*call, reason);
    }
}

/// Adopts a task that a handler on a slave submits. Changes nothing when it throws.
void Dispatcher::adopt(const Parcel& parcel) {
    const std::shared_ptr<Call> call = makeCall();
    call->request = packParcel(connector_.mailbox(), MessageKind::Request, {parcel.key, call->number, call->tryNumber},
                               [&](IntWriter& out) { out.writeInts(parcel.body); });
    call->facts = {parcel.key, parcel.detail, call->request.size(), CallFacts::noSlave};
    std::list<Completion::Following> following;
    const auto adopter = adopters_.find(parcel.key);
    if (adopter == adopters_.end()) {
        call->isDropped = true;
    } else {
        following.push_back({[call, adopter = adopter->second](Completion&) { adopter(call); }, call});
    }
    if (!takeFromJournal(*call, parcel)) admit(call);
    followers_.splice(followers_.end(), following);
}

/// The open call that a letter of the rank names. null: that rank does not have the call.
std::shared_ptr<Call> Dispatcher::callAt(int rank, std::int32_t number, const char* what) const {
    const auto entry = calls_.find(number);
    const bool isThere = entry != calls_.end() && entry->second->place == Call::Place::AtSlave && entry->second->slaveRank == rank;
    if (isThere) return entry->second;
    ifMemory([&] { logLine(spdlog::level::err, "rank {} {} call {}, which it does not have: that is dropped", rank, what, number); });
    return nullptr;
}

void Dispatcher::takeInReply(const std::shared_ptr<const Letter>& letter, const Parcel& parcel, int slaveRank) {
    const std::shared_ptr<Call> call = callAt(letter->from, parcel.number, "answers");
    if (!call) return;
    const std::chrono::nanoseconds taken(std::max(parcel.detail, 0));
    const auto now = connector_.now();
    schedule_.finished(slaveOfRank(letter->from), call->number, call->isCancelled ? std::nullopt : std::optional(taken), now);
    if (monitor_ != nullptr) ifMemory([&] { monitor_->answered(slaveOfRank(slaveRank), call->number, taken, parcel.key == 0, now); });
    call->answeringRank = slaveRank;
    if (parcel.key == 0) return fail(*call, failureIn(parcel));
    call->letter = letter;
    call->reply = parcel;
    try {
        if (journal_ != nullptr && call->journalKey) journal_->add(*call->journalKey, parcel.key, parcel.body);
    } catch (...) {
        journalFailure_ = std::current_exception();    // the reply counts in spite of this failure
    }
    finish(*call, nullptr);
}

void Dispatcher::takeBack(int from, const Parcel& parcel) {
    const std::shared_ptr<Call> call = callAt(from, parcel.number, "gives back");
    if (!call) return;
    if (call->request.isEmpty()) {
        call->request = packParcel(connector_.mailbox(), MessageKind::Request, parcel, [&](IntWriter& out) { out.writeInts(parcel.body); });
    }
    schedule_.givenBack(slaveOfRank(from), call->number, connector_.now());
    if (monitor_ != nullptr) monitor_->statistics().givenBack(slaveOfRank(from));
    call->place = Call::Place::Waiting;
    if (call->isOverdue) {
        noteOverdue(*call);
    } else if (call->isCancelled) {
        cancelCall(*call);
    } else if (schedule_.liveCount() == 0) {
        stop(*call, noSlavesLeft());    // a sub-master that has lost its group
    }
}

/// Turns a message back into an exception (flow B), which the call's future throws. An unreadable parcel is a failure of its call too.
std::exception_ptr Dispatcher::failureIn(const Parcel& parcel) const {
    try {
        return insist([&] {
            IntReader in(parcel.body, connector_.factory());
            ExceptionMessage message;
            message.readFromInts(in);
            in.expectEnd();
            return message.rebuild(connector_.factory());
        });
    } catch (const SerializationError&) {
        return std::current_exception();
    } catch (const std::bad_alloc&) {
        return std::current_exception();
    }
}

void Dispatcher::fail(Call& call, const std::exception_ptr& failure) {
    std::exception_ptr outcome = failure;
    bool isTriedAgain = false;
    ifMemory([&] {    // without memory the call keeps its own failure
        if (call.isOverdue && isCancellation(failure)) {
            const auto waited = std::chrono::duration_cast<std::chrono::microseconds>(connector_.now() - call.submitted);
            outcome = std::make_exception_ptr(TimeoutError(call.task(), waited));
        } else {
            isTriedAgain = retry(call, failure);
        }
    });
    if (!isTriedAgain) finish(call, outcome);
}

/// Plans a further try of the call. False: the call is not tried again.
bool Dispatcher::retry(Call& call, const std::exception_ptr& failure) {
    if (call.isCancelled || call.tryNumber > call.retry.times() || !call.retry.covers(failure)) return false;
    if (log().should_log(spdlog::level::info)) {    // report() takes time
        logLine(spdlog::level::info, "task {} has failed on rank {} at try {} and is tried again: {}", call.number, call.answeringRank,
                call.tryNumber, report(failure));
    }
    if (monitor_ != nullptr) monitor_->statistics().retried(slaveOfRank(call.answeringRank));
    setParcelDetail(call.request, ++call.tryNumber);
    call.place = Call::Place::Resting;
    call.facts.avoided = slaveOfRank(call.slaveRank);
    call.nextTry = connector_.now() + call.retry.pauseBefore(call.tryNumber);
    retries_.add(call.nextTry, call.number);
    return true;
}

}    // namespace ferry
