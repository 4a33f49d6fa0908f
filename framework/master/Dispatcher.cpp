#include <ferry/framework/master/Dispatcher.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/Remote.hpp>
#include <ferry/connector/exception/Report.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/framework/master/SlaveRecruiter.hpp>
#include <ferry/framework/monitor/JobMonitor.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/monitor/ifMemory.hpp>
#include <ferry/framework/schedule/slaveNumbers.hpp>

namespace ferry {

namespace {

// A master that only submits calls still takes in replies: once in this number of submissions.
constexpr std::uint32_t submissionsPerLook = 64;
// A master that only sends polls its mailbox once in this number of sends.
constexpr std::uint32_t sendsPerLook = 16;
constexpr std::size_t mostPendingSends = 1024;

// The job fails after this number of steps without memory, which are one millisecond apart.
constexpr int mostStepsWithoutMemory = 500;

}    // namespace

const Filter& Dispatcher::lettersOfSlaves() {
    static const Filter filter =
        Filter({MessageKind::Response, MessageKind::Request, MessageKind::TaskNotice}).describedBy([](const Filter&) -> std::string {
            return "the reply to any task";
        });
    return filter;
}

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
    admit(call);
    ifMemory([this] { feed(Schedule::Supply::MoreComing); });    // without memory a later step sends the call
    return call;
}

/// Admits the call. Changes nothing when it throws.
void Dispatcher::admit(const std::shared_ptr<Call>& call) {
    calls_.emplace(call->number, call);
    try {
        enqueue(*call);
    } catch (...) {
        calls_.erase(call->number);
        deadlines_.remove(call->deadline, call->number);
        throw;
    }
}

std::shared_ptr<Call> Dispatcher::makeCall() {
    auto call = std::make_shared<Call>();
    // Call numbers are never 0: newCall has that value.
    lastNumber_ = lastNumber_ == 0x7fffffffu ? 1 : lastNumber_ + 1;
    call->number = static_cast<std::int32_t>(lastNumber_);
    if (monitor_ != nullptr) monitor_->statistics().added();
    return call;
}

void Dispatcher::lookNowAndThen() {
    requireThread();
    if (++submissionCount_ % submissionsPerLook != 0) return;
    try {
        const OneThread::Call oneThread(connector_.mailbox().thread());
        connector_.mailbox().poll();
        takeInAll();
    } catch (const std::bad_alloc& failure) {
        bearNoMemory(failure);
    }
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
        if (runFollowers()) continue;    // functions of the user may wait for threads of their own, so oneThread is not held here
        try {
            const OneThread::Call oneThread(connector_.mailbox().thread());
            attend();
            if (followers_.empty() && !condition()) rest(describe, beside);
            stepsWithoutMemory_ = 0;
        } catch (const std::bad_alloc& failure) {
            bearNoMemory(failure);
        }
    }
}

/// Rests until a letter comes or a deadline, retry, recall or task of BesideWait is due.
void Dispatcher::rest(const Mailbox::Describe& describe, const BesideWait& beside) {
    if (inHand_) return takeInAll();
    const auto wakeAt = std::min({deadlines_.next(), retries_.next(), schedule_.nextRecall()});
    const auto waitBegin = connector_.now();
    const bool hasCome = connector_.mailbox().awaitLetter(lettersOfSlaves(), describe, wakeAt, Waiter::Call, &beside);
    ifMemory([&] { noteWait(waitBegin); });
    if (hasCome) takeInAll();
}

/// Handles a lack of memory: the work stays to be done, and no call fails. The job fails when the lack lasts.
void Dispatcher::bearNoMemory(const std::bad_alloc& failure) {
    Mailbox& mailbox = connector_.mailbox();
    const bool isOfAnotherRank = dynamic_cast<const RemoteInformation*>(&failure) != nullptr;
    if (isOfAnotherRank || mailbox.due().isStopped()) throw;
    if (++stepsWithoutMemory_ == mostStepsWithoutMemory) failJob(std::current_exception());
    mailbox.transport().idle(std::chrono::milliseconds(1));
}

void Dispatcher::failJob(const std::exception_ptr& failure) {
    connector_.mailbox().due().stop(failure);
    std::rethrow_exception(failure);
}

void Dispatcher::waitForAll() {
    waitUntil([this] { return calls_.empty() && followers_.empty(); });
}

void Dispatcher::poll() {
    try {
        const OneThread::Call oneThread(connector_.mailbox().thread());
        connector_.mailbox().poll();
        takeInAll();
        attend();
        stepsWithoutMemory_ = 0;
    } catch (const std::bad_alloc& failure) {
        bearNoMemory(failure);
    }
    while (runFollowers()) {}
}

/// Does the work that is due even when no letter comes: deadlines, retries, journal, monitor, sending and recalls.
void Dispatcher::attend() {
    const auto now = connector_.now();
    while (const auto number = deadlines_.due(now)) {
        const auto found = calls_.find(*number);
        const std::shared_ptr<Call> call = found != calls_.end() ? found->second : nullptr;
        if (call) noteOverdue(*call);
        if (!call || !call->isDone) deadlines_.removeFirst();    // otherwise finish() has removed the deadline with the call
    }
    while (const auto number = retries_.due(now)) {
        const auto call = calls_.find(*number);
        if (call != calls_.end()) enqueue(*call->second);
        retries_.removeFirst();
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

/// True: no slave had the call, and the call has failed for the reason. False: the slave is told.
bool Dispatcher::stop(Call& call, const std::exception_ptr& reason) {
    if (call.place == Call::Place::AtSlave) {
        if (!call.isCancelled) notify(call.slaveRank, TaskNotice::Cancelled, {call.number});
        call.isCancelled = true;
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

void Dispatcher::logUnseenFailure(const Completion& completion) noexcept {
    ifMemory([&completion] {
        logLine(spdlog::level::warn, "dropped unseen, though the task had failed: {}: {}", completion.awaited().what,
                report(completion.failure));
    });
}

void Dispatcher::logFurtherFailure(const std::exception_ptr& failure) {
    logLine(spdlog::level::warn, "one more of the tasks that were waited for together has failed: {}", report(failure));
}

void Dispatcher::takeInAll() {
    while (hasLetter()) {
        try {
            takeIn(*inHand_);
        } catch (const std::bad_alloc&) {
            throw;
        } catch (...) {
            inHand_.reset();
            throw;
        }
        inHand_.reset();
    }
    if (journalFailure_) std::rethrow_exception(std::exchange(journalFailure_, nullptr));
    takeInLosses();    // after the replies, so that the answers of a lost slave count
    const auto now = connector_.now();
    attendBeside(now);    // before any caller sees the replies
    findPace(now);
    feed(Schedule::Supply::MoreComing);
}

void Dispatcher::finish(Call& call, std::exception_ptr failure) {
    if (call.deadline != Call::TimePoint::max()) deadlines_.remove(call.deadline, call.number);
    call.request = IntBuffer();
    if (monitor_ != nullptr) monitor_->statistics().ended(failure != nullptr);
    const auto entry = calls_.find(call.number);
    const std::shared_ptr<Call> kept = std::move(entry->second);    // this may be the last owner
    calls_.erase(entry);
    complete(call, std::move(failure));
}

void Dispatcher::complete(Completion& completion, std::exception_ptr failure) {
    completion.isDone = true;
    completion.failure = std::move(failure);
    if (completion.failure && completion.isDropped && !completion.isLookedAt)
        ifMemory([&] { logLine(spdlog::level::warn, "nobody waits for a task that failed: {}", report(completion.failure)); });
    for (Completion::Following& following : completion.followers) following.completion = completion.shared_from_this();
    followers_.splice(followers_.end(), completion.followers);
}

void Dispatcher::whenDone(std::shared_ptr<Completion> completion, Completion::Follower follower) {
    if (completion->isDone) {
        followers_.push_back({std::move(follower), std::move(completion)});
    } else {
        completion->followers.push_back({std::move(follower)});
    }
}

/// Runs the first follower. False: there was none. A follower may wait, and so run the next followers.
bool Dispatcher::runFollowers() {
    if (followers_.empty()) return false;
    std::list<Completion::Following> first;
    first.splice(first.begin(), followers_, followers_.begin());
    first.front().follower(*first.front().completion);
    return true;
}

void Dispatcher::feed(Schedule::Supply supply) {
    for (;;) {
        if (!unsent_) unsent_ = schedule_.next(supply, connector_.now());
        if (!unsent_) return;
        if (schedule_.isThere(unsent_->slave)) send(*unsent_);    // the calls of a lost slave have been given to others
        unsent_.reset();
        noteSent();
    }
}

/// Sends a batch. After a std::bad_alloc the caller must call send() again for the same batch.
void Dispatcher::send(const Schedule::Assignment& batch) {
    const int rank = rankOfSlave(batch.slave);
    for (const std::int32_t number : batch.calls) {
        Call& call = *calls_.at(number);
        call.place = Call::Place::AtSlave;
        call.slaveRank = rank;
    }
    IntBuffer letter = letterOf(batch);
    if (monitor_ != nullptr) ifMemory([&] { monitor_->sent(batch.slave, batch.calls, letter.size(), connector_.now()); });
    setReplyWait(letter, schedule_.batchTime());
    if (calls_.at(batch.calls.front())->facts.isSuspect) setSuspect(letter);
    pace_.sent(batch.calls.size());
    try {
        connector_.mailbox().postNow(rank, std::move(letter));
    } catch (const std::bad_alloc&) {
        const std::exception_ptr failure = std::current_exception();    // the letter is gone, so its calls fail
        for (const std::int32_t number : batch.calls) {
            const std::shared_ptr<Call> call = calls_.at(number);
            schedule_.takenAway(batch.slave, number);
            fail(*call, failure);
        }
    }
}

/// Makes the letter of a batch. Allocates room for all calls before it moves any request. Copies the request of a call that may be sent
/// again.
IntBuffer Dispatcher::letterOf(const Schedule::Assignment& batch) {
    Call& first = *calls_.at(batch.calls.front());
    if (batch.calls.size() == 1) return isKept(first) ? IntBuffer(first.request) : std::move(first.request);
    BufferPool& buffers = connector_.mailbox().transport().buffers();
    std::size_t intCount = Envelope::sizeInts;
    for (const std::int32_t number : batch.calls) intCount += calls_.at(number)->request.size() - Envelope::sizeInts;
    IntBuffer letter = buffers.take();
    letter.reserve(intCount);
    letter.append(first.request.ints().first(Envelope::sizeInts));
    for (const std::int32_t number : batch.calls) {
        Call& call = *calls_.at(number);
        appendParcels(letter, call.request);
        if (!isKept(call)) buffers.giveBack(std::exchange(call.request, IntBuffer()));
    }
    return letter;
}

/// Whether the request of the call is kept, because it may be sent again.
bool Dispatcher::isKept(const Call& call) const noexcept { return survivesLosses_ || call.tryNumber <= call.retry.times(); }

/// Lets a master that only sends take in letters. Waits for the slaves when too many sends are pending.
void Dispatcher::noteSent() {
    if (++sendCount_ % sendsPerLook != 0) return;
    Mailbox& mailbox = connector_.mailbox();
    mailbox.poll();
    const auto hasRoom = [&mailbox] { return mailbox.transport().pendingSends() <= mostPendingSends; };
    mailbox.waitUntil(hasRoom, [] { return Awaited{{}, "slaves to take in their tasks"}; });
}

void Dispatcher::recall() {
    while (const auto back = schedule_.recall(connector_.now())) {
        try {
            notify(rankOfSlave(back->slave), TaskNotice::GiveBack, back->calls);
        } catch (const std::bad_alloc&) {
            schedule_.recallAnswered(back->slave, connector_.now());    // so that the schedule can ask the slave again
            throw;
        }
    }
}

}    // namespace ferry
