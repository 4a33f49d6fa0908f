// What the dispatcher does with what slaves send: replies, exceptions, tasks that they give back, and such that their handlers submit.
#include <ferry/framework/Dispatcher.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/Report.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/message/ExceptionMessage.hpp>
#include <ferry/framework/JobMonitor.hpp>
#include <ferry/framework/Journal.hpp>
#include <ferry/framework/Log.hpp>
#include <ferry/framework/slaveNumbers.hpp>
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

void Dispatcher::takeIn(Letter letter) {
    if (letter.envelope.kind == MessageKind::TaskNotice) return takeInOrphaned(letter);
    const auto shared = std::make_shared<const Letter>(std::move(letter));
    const std::vector<Parcel> parcels = parcelsIn(*shared);
    if (monitor_ != nullptr && shared->from > 0) monitor_->statistics().received(slaveOfRank(shared->from), shared->ints.size());
    if (shared->envelope.kind == MessageKind::Response) return takeInReplies(shared, parcels);
    const bool areNew = !parcels.empty() && parcels.front().number == newCall;
    if (areNew) {
        leaveOutOfJournal(shared->from);
        for (const Parcel& parcel : parcels) adopt(parcel);
        return;
    }
    for (auto parcel = parcels.rbegin(); parcel != parcels.rend(); ++parcel) takeBack(shared->from, *parcel);
    if (shared->from > 0) schedule_.recallAnswered(slaveOfRank(shared->from), connector_.now());
}

/// A task that a slave submits.
void Dispatcher::adopt(const Parcel& parcel) {
    const std::shared_ptr<Call> call = makeCall();
    call->request = packParcel(connector_.mailbox(), MessageKind::Request, {parcel.key, call->number, call->tryNumber},
                               [&](IntWriter& out) { out.writeInts(parcel.body); });
    call->facts = {parcel.key, parcel.detail, call->request.size(), CallFacts::noSlave};
    if (!takeFromJournal(*call, parcel)) {
        calls_.emplace(call->number, call);
        enqueue(*call);
    }
    const auto adopter = adopters_.find(parcel.key);
    if (adopter == adopters_.end()) {
        call->isDropped = true;
    } else {
        followers_.emplace_back([call, adopter = adopter->second](Completion&) { adopter(call); }, call);
    }
}

/// The open call that a slave writes of; null when the slave does not have it.
std::shared_ptr<Call> Dispatcher::callAt(int rank, std::int32_t number, const char* what) const {
    const auto entry = calls_.find(number);
    const bool isThere = entry != calls_.end() && entry->second->place == Call::Place::AtSlave && entry->second->slaveRank == rank;
    if (isThere) return entry->second;
    logLine(spdlog::level::err, "rank {} {} call {}, which it does not have: that is dropped", rank, what, number);
    return nullptr;
}

void Dispatcher::takeInReplies(const std::shared_ptr<const Letter>& letter, const std::vector<Parcel>& parcels) {
    sharedObjects_.noteReply(letter->from);
    int slaveRank = letter->from;
    for (const Parcel& parcel : parcels) {
        if (isOriginOfReplies(parcel) && groups_.isSubMaster(letter->from)) {
            slaveRank = slaveBehind(letter->from, parcel);
        } else {
            takeInReply(letter, parcel, slaveRank);
        }
    }
}

void Dispatcher::takeInReply(const std::shared_ptr<const Letter>& letter, const Parcel& parcel, int slaveRank) {
    const std::shared_ptr<Call> call = callAt(letter->from, parcel.number, "answers");
    if (!call) return;
    const std::chrono::nanoseconds taken(std::max(parcel.detail, 0));
    const auto now = connector_.now();
    schedule_.finished(slaveOfRank(letter->from), call->number, call->isCancelled ? std::nullopt : std::optional(taken), now);
    if (monitor_ != nullptr) monitor_->answered(slaveOfRank(slaveRank), call->number, taken, parcel.key == 0, now);
    call->answeringRank = slaveRank;
    if (parcel.key == 0) return fail(*call, failureIn(parcel));
    call->letter = letter;
    call->reply = parcel;
    if (journal_ != nullptr && call->journalKey) journal_->add(*call->journalKey, parcel.key, parcel.body);
    finish(*call, nullptr);
}

void Dispatcher::takeBack(int from, const Parcel& parcel) {
    const std::shared_ptr<Call> call = callAt(from, parcel.number, "gives back");
    if (!call) return;
    schedule_.givenBack(slaveOfRank(from), call->number, connector_.now());
    if (monitor_ != nullptr) monitor_->statistics().givenBack(slaveOfRank(from));
    if (call->request.isEmpty()) {
        call->request = packParcel(connector_.mailbox(), MessageKind::Request, parcel, [&](IntWriter& out) { out.writeInts(parcel.body); });
    }
    call->place = Call::Place::Waiting;
    if (call->isOverdue) {
        noteOverdue(*call);
    } else if (call->isCancelled) {
        cancelCall(*call);
    } else if (schedule_.liveCount() == 0) {
        stop(*call, noSlavesLeft());    // a sub-master that has lost its group
    }
}

/// Flow B: message -> exception, which the call's future throws. A parcel that cannot be read is a failure of its call too, like a reply.
std::exception_ptr Dispatcher::failureIn(const Parcel& parcel) const {
    try {
        IntReader in(parcel.body, connector_.factory());
        ExceptionMessage message;
        message.readFromInts(in);
        in.expectEnd();
        return message.rebuild(connector_.factory());
    } catch (const SerializationError&) {
        return std::current_exception();
    }
}

void Dispatcher::fail(Call& call, const std::exception_ptr& failure) {
    if (call.isOverdue && isCancellation(failure)) {
        const auto waited = std::chrono::duration_cast<std::chrono::microseconds>(connector_.now() - call.submitted);
        return finish(call, std::make_exception_ptr(TimeoutError(call.task(), waited)));
    }
    if (!retry(call, failure)) finish(call, failure);
}

/// Whether the call is tried again.
bool Dispatcher::retry(Call& call, const std::exception_ptr& failure) {
    if (call.isCancelled || call.tryNumber > call.retry.times() || !call.retry.covers(failure)) return false;
    if (log().should_log(spdlog::level::info)) {    // the story of a failure takes time
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
