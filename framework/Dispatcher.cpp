#include <ferry/framework/Dispatcher.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/Report.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/message/ExceptionMessage.hpp>
#include <ferry/framework/JobMonitor.hpp>
#include <ferry/framework/Journal.hpp>
#include <ferry/framework/Log.hpp>
#include <ferry/framework/SlaveRecruiter.hpp>
#include <ferry/framework/slaveNumbers.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry {

namespace {

// A master that only submits still takes in replies now and then.
constexpr std::uint32_t submissionsPerLook = 64;

const Filter& lettersOfSlaves() {
    static const Filter filter =
        Filter({MessageKind::Response, MessageKind::Request, MessageKind::TaskNotice}).describedBy([](const Filter&) -> std::string {
            return "the reply to any task";
        });
    return filter;
}

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

Dispatcher::Dispatcher(Connector& connector, const BesideJob& beside)
    : connector_(connector),
      journal_(beside.journal),
      monitor_(beside.monitor),
      recruiter_(beside.recruiter),
      groups_(beside.groups),
      schedule_(connector.size() - 1),
      sharedObjects_(connector.mailbox(), groups_, recruiter_ != nullptr && recruiter_->canRecruit()),
      survivesLosses_(connector.mailbox().transport().survivesLosses()) {
    arrangeGroups();
}

std::shared_ptr<Call> Dispatcher::submit(const Message& task, const TaskOptions& options) {
    requireSlaves();
    requireOwnClassId(task);
    connector_.mailbox().throwIfDue();
    auto call = makeCall();
    call->retry = options.retry;
    call->slavesAtMost = options.slavesAtMost;
    call->request = packParcel(connector_.mailbox(), MessageKind::Request, {task.classId(), call->number, call->tryNumber},
                               [&](IntWriter& out) { out << task; });
    call->facts = {task.classId(), options.priority, call->request.size(), CallFacts::noSlave};
    if (takeFromJournal(*call, onlyParcelIn(call->request))) return call;
    if (!options.deadline.isNever()) {
        call->submitted = connector_.now();
        call->deadline = options.deadline.forStart(call->submitted);
        deadlines_.add(call->deadline, call->number);
    }
    calls_.emplace(call->number, call);
    enqueue(*call);
    feed(Schedule::Supply::MoreComing);
    return call;
}

std::shared_ptr<Call> Dispatcher::makeCall() {
    auto call = std::make_shared<Call>();
    // Call numbers are never 0, which is newCall.
    lastNumber_ = lastNumber_ == 0x7fffffffu ? 1 : lastNumber_ + 1;
    call->number = static_cast<std::int32_t>(lastNumber_);
    if (monitor_ != nullptr) monitor_->statistics().added();
    return call;
}

void Dispatcher::lookNowAndThen() {
    if (++submissionCount_ % submissionsPerLook != 0) return;
    connector_.mailbox().poll();
    takeInAll();
}

void Dispatcher::enqueue(Call& call) {
    call.place = Call::Place::Waiting;
    schedule_.add(call.number, call.facts);
}

void Dispatcher::wait(const Completion& completion) {
    waitUntil([&completion] { return completion.isDone; }, [&completion] { return completion.awaited(); });
}

void Dispatcher::waitUntil(const std::function<bool()>& condition) {
    waitUntil(condition, [] { return lettersOfSlaves().awaited(); });
}

void Dispatcher::waitUntil(const std::function<bool()>& condition, const Mailbox::Describe& describe) {
    while (!condition()) {
        if (runFollowers()) continue;
        attend();
        if (!followers_.empty() || condition()) continue;
        const auto wakeAt = std::min({deadlines_.next(), retries_.next(), schedule_.nextRecall(), nextBeside()});
        const auto waitBegin = connector_.now();
        const bool hasCome = connector_.mailbox().awaitLetter(lettersOfSlaves(), describe, wakeAt);
        noteWait(waitBegin);
        if (hasCome) takeInAll();
    }
}

void Dispatcher::waitForAll() {
    waitUntil([this] { return calls_.empty() && followers_.empty(); });
}

void Dispatcher::poll() {
    connector_.mailbox().poll();
    takeInAll();
    attend();
    while (runFollowers()) {}
}

/// What is to be done when nothing comes back.
void Dispatcher::attend() {
    const auto now = connector_.now();
    while (const auto number = deadlines_.takeDue(now)) {
        const auto call = calls_.find(*number);
        if (call != calls_.end()) noteOverdue(*std::shared_ptr<Call>(call->second));
    }
    while (const auto number = retries_.takeDue(now)) {
        const auto call = calls_.find(*number);
        if (call != calls_.end()) enqueue(*call->second);
    }
    attendBeside(now);
    feed(Schedule::Supply::Complete);
    recall();
}

void Dispatcher::noteOverdue(Call& call) {
    call.isOverdue = true;
    stop(call, std::make_exception_ptr(
                   TimeoutError(call.task(), std::chrono::duration_cast<std::chrono::microseconds>(connector_.now() - call.submitted))));
}

bool Dispatcher::cancel(Completion& completion) {
    if (completion.isDone) return false;
    if (auto* call = dynamic_cast<Call*>(&completion)) return cancelCall(*call);
    bool areAllCancelled = true;
    const std::vector<std::shared_ptr<Completion>> sources = completion.openSources();
    for (const std::shared_ptr<Completion>& source : sources) areAllCancelled = cancel(*source) && areAllCancelled;
    return areAllCancelled && !sources.empty();
}

bool Dispatcher::cancelCall(Call& call) {
    call.isLookedAt = true;
    return stop(call, std::make_exception_ptr(Cancelled(fmt::format("task {} was cancelled before a slave had it", call.number))));
}

void Dispatcher::withdraw(Call& call) {
    if (call.isDone || call.place == Call::Place::AtSlave) return;
    cancelCall(call);
}

/// True: no slave had the call, which has failed for the reason. False: the slave is told.
bool Dispatcher::stop(Call& call, const std::exception_ptr& reason) {
    if (call.place == Call::Place::AtSlave) {
        if (!std::exchange(call.isCancelled, true)) notify(call.slaveRank, TaskNotice::Cancelled, {call.number});
        return false;
    }
    if (call.place == Call::Place::Waiting) schedule_.cancel(call.number);
    if (call.place == Call::Place::Resting) retries_.remove(call.nextTry, call.number);
    finish(call, reason);
    return true;
}

void Dispatcher::notify(int rank, TaskNotice notice, const std::vector<std::int32_t>& calls) {
    connector_.mailbox().post(rank, Channel::Data, Envelope{MessageKind::TaskNotice, static_cast<std::int32_t>(notice), 0},
                              [&](IntWriter& out) { out << calls; });
}

void Dispatcher::logUnseenFailure(const Completion& completion) {
    logLine(spdlog::level::warn, "{} was dropped unseen, though the task had failed", completion.awaited().what);
}

void Dispatcher::logFurtherFailure(const std::exception_ptr& failure) {
    logLine(spdlog::level::warn, "one more of the tasks that were waited for together has failed: {}", report(failure));
}

void Dispatcher::takeInAll() {
    while (auto letter = connector_.mailbox().takeArrived(lettersOfSlaves())) takeIn(std::move(*letter));
    takeInLosses();    // what a lost slave had answered before counts
    const auto now = connector_.now();
    attendBeside(now);    // before anybody sees the replies
    findPace(now);
    feed(Schedule::Supply::MoreComing);
}

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

void Dispatcher::finish(Call& call, std::exception_ptr failure) {
    if (call.deadline != Call::TimePoint::max()) deadlines_.remove(call.deadline, call.number);
    call.request = IntBuffer();
    if (monitor_ != nullptr) monitor_->statistics().ended(failure != nullptr);
    const auto entry = calls_.find(call.number);
    const std::shared_ptr<Call> kept = std::move(entry->second);    // may be the last owner
    calls_.erase(entry);
    complete(call, std::move(failure));
}

void Dispatcher::complete(Completion& completion, std::exception_ptr failure) {
    completion.isDone = true;
    completion.failure = std::move(failure);
    if (completion.failure && completion.isDropped && !completion.isLookedAt)
        logLine(spdlog::level::warn, "nobody waits for a task that failed: {}", report(completion.failure));
    for (Completion::Follower& follower : completion.followers) followers_.emplace_back(std::move(follower), completion.shared_from_this());
    completion.followers.clear();
}

void Dispatcher::whenDone(std::shared_ptr<Completion> completion, Completion::Follower follower) {
    if (completion->isDone) {
        followers_.emplace_back(std::move(follower), std::move(completion));
    } else {
        completion->followers.push_back(std::move(follower));
    }
}

/// Whether there was one. A follower may wait itself, and so run the next ones.
bool Dispatcher::runFollowers() {
    if (followers_.empty()) return false;
    const auto [follower, completion] = std::move(followers_.front());
    followers_.pop_front();
    follower(*completion);
    return true;
}

void Dispatcher::feed(Schedule::Supply supply) {
    while (const auto batch = schedule_.next(supply, connector_.now())) send(*batch);
}

void Dispatcher::send(const Schedule::Assignment& batch) {
    IntBuffer letter;
    for (const std::int32_t number : batch.calls) {
        Call& call = *calls_.at(number);
        call.place = Call::Place::AtSlave;
        call.slaveRank = rankOfSlave(batch.slave);
        IntBuffer request = requestOf(call);
        if (letter.isEmpty()) {
            letter = std::move(request);
        } else {
            appendParcels(letter, request);
            connector_.mailbox().transport().buffers().giveBack(std::move(request));
        }
    }
    if (monitor_ != nullptr) monitor_->sent(batch.slave, batch.calls, letter.size(), connector_.now());
    setReplyWait(letter, schedule_.batchTime());
    if (calls_.at(batch.calls.front())->facts.isSuspect) setSuspect(letter);
    pace_.sent(batch.calls.size());
    connector_.mailbox().postInts(rankOfSlave(batch.slave), Channel::Data, std::move(letter));
}

/// A letter of the one task; of one that may be sent again a copy.
IntBuffer Dispatcher::requestOf(Call& call) {
    if (!survivesLosses_ && call.tryNumber > call.retry.times()) return std::move(call.request);
    return call.request;
}

void Dispatcher::recall() {
    while (const auto back = schedule_.recall(connector_.now())) notify(rankOfSlave(back->slave), TaskNotice::GiveBack, back->calls);
}

}    // namespace ferry
