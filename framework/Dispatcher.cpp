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
#include <ferry/framework/JobMonitor.hpp>
#include <ferry/framework/Log.hpp>
#include <ferry/framework/SlaveRecruiter.hpp>
#include <ferry/framework/slaveNumbers.hpp>

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

}    // namespace

Dispatcher::Dispatcher(Connector& connector, const BesideJob& beside)
    : connector_(connector),
      journal_(beside.journal),
      stopJob_(beside.stopJob),
      monitor_(beside.monitor),
      recruiter_(beside.recruiter),
      groups_(beside.groups),
      schedule_(connector.size() - 1),
      sharedObjects_(connector.mailbox(), groups_, recruiter_ != nullptr && recruiter_->canRecruit()),
      survivesLosses_(connector.mailbox().transport().survivesLosses()) {
    arrangeGroups();
}

std::shared_ptr<Call> Dispatcher::submit(const Message& task, const TaskOptions& options) {
    const OneThread::Call oneThread(connector_.mailbox().thread());
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
    requireThread();
    if (++submissionCount_ % submissionsPerLook != 0) return;
    const OneThread::Call oneThread(connector_.mailbox().thread());
    connector_.mailbox().poll();
    takeInAll();
}

std::int32_t Dispatcher::share(std::int32_t key, const SharedObjects::Write& write) {
    const OneThread::Call oneThread(connector_.mailbox().thread());
    return sharedObjects_.share(key, write, calls_.empty());
}

bool Dispatcher::unshare(std::int32_t key) {
    const OneThread::Call oneThread(connector_.mailbox().thread());
    return sharedObjects_.drop(key);
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
    const BesideWait beside{[this] { return nextBeside(); }, [this](Call::TimePoint now) { attendBeside(now); }};
    requireThread();
    while (!condition()) {
        if (runFollowers()) continue;    // functions of the user, which may wait for threads of their own
        const OneThread::Call oneThread(connector_.mailbox().thread());
        attend();
        if (!followers_.empty() || condition()) continue;
        const auto wakeAt = std::min({deadlines_.next(), retries_.next(), schedule_.nextRecall()});
        const auto waitBegin = connector_.now();
        const bool hasCome = connector_.mailbox().awaitLetter(lettersOfSlaves(), describe, wakeAt, Waiter::Call, &beside);
        noteWait(waitBegin);
        if (hasCome) takeInAll();
    }
}

void Dispatcher::waitForAll() {
    waitUntil([this] { return calls_.empty() && followers_.empty(); });
}

void Dispatcher::poll() {
    {
        const OneThread::Call oneThread(connector_.mailbox().thread());
        connector_.mailbox().poll();
        takeInAll();
        attend();
    }
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
    const OneThread::Call oneThread(connector_.mailbox().thread());
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
    logLine(spdlog::level::warn, "dropped unseen, though the task had failed: {}: {}", completion.awaited().what,
            report(completion.failure));
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
