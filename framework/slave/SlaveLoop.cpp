#include <ferry/framework/slave/SlaveLoop.hpp>

#include <algorithm>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/TeamConnector.hpp>
#include <ferry/connector/collective/shape/Tree.hpp>
#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/NoMemoryForMessage.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/message/state/MailboxHooks.hpp>
#include <ferry/connector/message/state/insist.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/monitor/TraceCollection.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/framework/parcel/KeptParcel.hpp>
#include <ferry/framework/parcel/SharedNotice.hpp>
#include <ferry/framework/parcel/TaskNotice.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>
#include <ferry/serialization/exception/Context.hpp>
#include <ferry/serialization/exception/DrivenOut.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

Filter lettersFrom(int master) {
    return Filter({JobKind::Request, JobKind::SharedNotice, JobKind::TaskNotice, JobKind::Trace}, master)
        .describedBy([](const Filter&) -> std::string { return "a task from the master (rank 0)"; });
}

const Filter& lettersOfResults() {
    static const Filter& filter = *new Filter(Filter({JobKind::TaskNotice}).withKey(static_cast<std::int32_t>(TaskNotice::Kept)));
    return filter;    // never destroyed: see lettersOfShared()
}

/// Letters that hold shared objects. They come from the master, or from a slave that passes them on.
const Filter& lettersOfShared() {
    // Never destroyed: exit() on one rank leaves the others at work.
    static const Filter& filter =
        *new Filter(Filter({JobKind::Shared}).describedBy([](const Filter&) -> std::string { return "an object that the master shares"; }));
    return filter;
}

// A slave that does short tasks one after the other looks for letters at this interval.
constexpr std::chrono::microseconds timeBetweenLooks{20};

Cancelled givenUp(std::int32_t number) {
    return Cancelled(fmt::format("task {} was given up before all slaves of its team had begun", number));
}

/// The failures with the ranks of a team, which counts its members in this order.
std::vector<FailureRecord> countedIn(const std::vector<int>& members, std::vector<FailureRecord> failures) {
    const auto inTeam = [&members](std::int32_t rank) {
        const auto member = std::find(members.begin(), members.end(), rank);
        return member == members.end() ? 0 : static_cast<std::int32_t>(member - members.begin());    // the master raises on rank 0 alone
    };
    for (FailureRecord& failure : failures) {
        failure.rank = inTeam(failure.rank);
        for (std::int32_t& rank : failure.ranks) rank = inTeam(rank);
        std::sort(failure.ranks.begin(), failure.ranks.end());
    }
    return failures;
}

/// The number of the result that the task leaves here; 0: none.
std::int32_t keptNumberIn(const Parcel& task) { return keepsResult(task) && task.body.size() > 1 ? task.body[1] : 0; }

std::int32_t saturated(std::chrono::nanoseconds time) {
    constexpr std::int64_t longest = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(time.count(), 0, longest));
}

}    // namespace

SlaveLoop::SlaveLoop(const Slave& definition, Connector& connector, int masterRank, std::size_t traceRoom, const KeepSettings& keeping)
    : definition_(definition),
      connector_(connector),
      masterRank_(masterRank),
      kept_(detail::mailboxOf(connector), keeping),
      exceptions_(connector),
      replies_(detail::mailboxOf(connector), masterRank),
      trace_(traceRoom) {
    Slave::setCurrentShared(&shared_);
    KeptStore::setForThisThread(&kept_);
    MailboxHooks& hooks = detail::mailboxOf(connector_).hooks();
    hooks.onRest([this] {
        replies_.sendNow();
        giveBackInWait();
    });
    hooks.onArrival(JobKind::TaskNotice, [this](const Letter& notice) { return takeAtOnce(notice); });
    recordTimers(connector_.timers(), trace_);
}

SlaveLoop::~SlaveLoop() {
    connector_.timers().recordTo({});
    MailboxHooks& hooks = detail::mailboxOf(connector_).hooks();
    hooks.onRest(nullptr);
    hooks.onArrival(JobKind::TaskNotice, nullptr);
    Slave::setCurrentShared(nullptr);
    KeptStore::setForThisThread(nullptr);
}

void SlaveLoop::run() {
    if (definition_.setUp_) state_ = definition_.setUp_(connector_);
    exceptions_.hold();
    while (!isDismissed_) {
        if (queue_.isEmpty() || lastEnd_ - lastLook_ >= timeBetweenLooks) takeInAll();
        if (queue_.isEmpty() && !isDismissed_) {
            replies_.send();
            awaitLetter();
        }
        doNext();
    }
}

void SlaveLoop::doNext() {
    while (const std::optional<Envelope> notice = queue_.nextNotice()) useShared(*notice);
    const std::optional<SlaveQueue::Task> task = queue_.nextTask();
    if (!task) return;
    replyWait_ = replyWaitIn(*task->letter);
    lastEnd_ = work(*task);
    // A reply waits for the replies to the other tasks of its letter, which are short.
    if (queue_.goesOnAfter(*task)) {
        replies_.sendIfDue(lastEnd_, replyWait_);
    } else {
        replies_.send();
    }
}

/// Makes the version of the notice the current one. The object may come after the notice, from another slave: then the slave waits for it.
void SlaveLoop::useShared(const Envelope& notice) {
    if (!shared_.has(notice)) replies_.send();
    while (!shared_.has(notice)) takeInShared(detail::mailboxOf(connector_).take(lettersOfShared(), Waiter::Idle));
    shared_.use(notice);
}

void SlaveLoop::takeInShared(Letter letter) {
    if (SharedStore::routeOf(letter) == SharedRoute::PassedOn) {
        const TreePlace place = placeInTree(connector_.rank(), connector_.size(), 0);
        for (const int child : place.children) detail::mailboxOf(connector_).postInts(child, Channel::Data, letter.wholeInts());
    }
    shared_.keep(std::move(letter));
}

/// The filter for letters of the master. A slave in a group also takes letters of rank 0, and a slave that waits for results those of
/// others.
const Filter& SlaveLoop::lettersOfMasters() const {
    static const Filter& ofRankZero = *new Filter(lettersFrom(0));    // never destroyed: see lettersOfShared()
    static const Filter& ofAny = *new Filter(lettersFrom(AnyRank));
    return masterRank_ == 0 && !kept_.isAwaiting() ? ofRankZero : ofAny;
}

void SlaveLoop::awaitLetter() {
    const TimePoint begin = connector_.now();
    Letter letter = detail::mailboxOf(connector_).take(lettersOfMasters(), Waiter::Idle);
    if (letter.envelope.kind != JobKind::Trace) trace_.add({TraceEvent::Kind::Wait, 0, 0, begin, connector_.now()});
    takeIn(std::move(letter));
}

/// Takes in all letters that have arrived.
void SlaveLoop::takeInAll() {
    lastLook_ = connector_.now();
    detail::mailboxOf(connector_).poll(Mailbox::PollWork::None);
    takeInArrived();
}

/// Takes in the letters that the mailbox holds.
void SlaveLoop::takeInArrived() {
    if (detail::mailboxOf(connector_).arrived().size() == 0) return;    // no expectation keeps a letter of a master
    while (std::optional<Letter> letter = detail::mailboxOf(connector_).arrived().take(lettersOfMasters())) takeIn(std::move(*letter));
}

void SlaveLoop::takeIn(Letter letter) {
    if (letter.envelope.kind == JobKind::Trace) return answerTraceLetter(connector_, letter, trace_);
    if (letter.envelope.kind == JobKind::TaskNotice) {
        if (noticeIn(letter) == TaskNotice::Kept) return kept_.arrive(std::move(letter));
        return takeNotice(letter);
    }
    if (letter.from != masterRank_) return;
    if (letter.missingInts != 0) return refuse(letter);
    queue_.add(std::move(letter));
}

/// Fails the tasks of a letter that did not fit into memory. The job fails when the received start of the letter does not name all tasks.
void SlaveLoop::refuse(const Letter& letter) {
    const ParcelHeads heads = parcelHeadsIn(letter);
    try {
        static_cast<void>(letter.body());
    } catch (const NoMemoryForMessage&) {
        if (!heads.areAll) throw;
        for (const Parcel& parcel : heads.parcels) answer(parcel.number, std::current_exception(), {});
    }
    replies_.send();
}

void SlaveLoop::takeNotice(const Letter& letter) {
    if (letter.from == 0 && noticeIn(letter) == TaskNotice::Missing) return kept_.miss(letter.envelope.number);
    const bool isNewMaster = letter.from == 0 && noticeIn(letter) == TaskNotice::Serve;
    if (letter.from != masterRank_ && !isNewMaster) return;    // a letter of a lost master
    if (noticeIn(letter) == TaskNotice::Raised) return raise(letter.envelope.number, letter);
    const std::vector<std::int32_t> numbers = insist([&] { return numbersIn(letter); });
    switch (noticeIn(letter)) {
        case TaskNotice::TellBegin: return tellBegin(letter.envelope.number);
        case TaskNotice::GiveBack: return giveBack(numbers);
        case TaskNotice::Cancelled: return cancel(numbers);
        case TaskNotice::Leave: isDismissed_ = true; return;
        case TaskNotice::Serve: return changeMaster(letter.from);
        case TaskNotice::Roster: return takeRoster(letter);
        default: break;
    }
    throw SerializationError(fmt::format("expected a notice of kind 1 to 4, 6, 7, 9, 11, 14 or 15, found {}", letter.envelope.key));
}

/// Takes a notice about the running task, or about results that stay here, when it arrives, since a handler may wait in the connector.
/// True: nothing remains to be done.
bool SlaveLoop::takeAtOnce(const Letter& notice) {
    if (running_.keeps != 0 && notice.from == 0 && noticeIn(notice) == TaskNotice::Drop) {
        const std::vector<std::int32_t> dropped = numbersIn(notice);
        running_.isUnwanted = running_.isUnwanted || std::find(dropped.begin(), dropped.end(), running_.keeps) != dropped.end();
    }
    if (kept_.takeAtOnce(notice)) return true;
    if (!isRunning(notice.envelope.number) || notice.from != masterRank_) return false;
    switch (noticeIn(notice)) {
        case TaskNotice::Raised: raise(running_.number, notice); return true;
        case TaskNotice::TellBegin: sayBegun(running_.number); return true;
        default: return false;
    }
}

/// Throws the master's exception in the handler of the task. A task that has not begun fails with the exception.
void SlaveLoop::raise(std::int32_t number, const Letter& notice) {
    const std::exception_ptr exception = insist([&] { return exceptionIn(notice, connector_.factory()); });
    if (isRunning(number)) {
        exceptions_.raise(exception);
        return;
    }
    for (const SlaveQueue::Task& task : insist([&] { return queue_.remove({number}); })) answer(task.parcel.number, exception, {});
    replies_.send();
}

void SlaveLoop::takeRoster(const Letter& letter) {
    if (isRunning(letter.envelope.number)) running_.roster = insist([&] { return rosterIn(letter, connector_.rank(), connector_.size()); });
}

/// Answers the master as soon as the task has begun. A task that the slave does not have is over: its reply tells the master.
void SlaveLoop::tellBegin(std::int32_t number) {
    if (isRunning(number)) return sayBegun(number);
    queue_.tellBegin(number);
}

void SlaveLoop::sayBegun(std::int32_t number) {
    insist([&] { sendNotice(detail::mailboxOf(connector_), masterRank_, TaskNotice::Begun, {number}, connector_.rank()); });
}

/// Changes the master when the former one is lost. All tasks are dropped: rank 0 gives them out anew.
void SlaveLoop::changeMaster(int rank) {
    masterRank_ = rank;
    queue_ = SlaveQueue();
    replies_.begin(rank);
    running_.isForgotten = running_.isCancelled = running_.number != 0;
}

/// Gives back tasks while the handler of another one waits, so that slaves that are free can do them. The master may have sent the tasks
/// since the handler began.
void SlaveLoop::giveBackInWait() {
    if (running_.number == 0) return;
    const Filter wishes = Filter({JobKind::TaskNotice}, masterRank_).withKey(static_cast<std::int32_t>(TaskNotice::GiveBack));
    while (const std::optional<Letter> wish = detail::mailboxOf(connector_).arrived().take(wishes)) {
        const Filter tasks({JobKind::Request, JobKind::SharedNotice}, masterRank_);
        while (std::optional<Letter> letter = detail::mailboxOf(connector_).arrived().take(tasks)) takeIn(std::move(*letter));
        giveBack(insist([&wish] { return numbersIn(*wish); }));
    }
}

/// Gives back the tasks that have not begun, after all replies. Answers even without a task: the master waits for the answer. May run while
/// a notice arrives in a wait of a handler, and so sends at once.
void SlaveLoop::giveBack(const std::vector<std::int32_t>& numbers) {
    replies_.sendNow();
    const std::vector<SlaveQueue::Task> tasks = insist([&] { return queue_.remove(numbers); });
    insist([&] {
        Mailbox& mailbox = detail::mailboxOf(connector_);
        mailbox.postNow(masterRank_, mailbox.pack(Envelope{JobKind::Request, 0, 0}, [&tasks](IntWriter& out) {
            for (const SlaveQueue::Task& task : tasks) writeParcel(out, task.parcel);
        }));
    });
}

void SlaveLoop::cancel(const std::vector<std::int32_t>& numbers) {
    for (const SlaveQueue::Task& task : insist([&] { return queue_.remove(numbers); })) {
        const std::int32_t number = task.parcel.number;
        answer(number, insist([number] {
                   return std::make_exception_ptr(Cancelled(fmt::format("task {} was cancelled before it began", number)));
               }),
               {});
    }
    replies_.send();
    running_.isCalledOff =
        running_.isCalledOff || std::any_of(numbers.begin(), numbers.end(), [this](int number) { return isRunning(number); });
    running_.isCancelled = running_.isCancelled || running_.isCalledOff;
}

bool SlaveLoop::isCancelled() {
    const OneThread::Call oneThread(detail::mailboxOf(connector_).thread());
    takeInAll();
    replies_.sendIfDue(lastLook_, replyWait_);
    return running_.isCancelled;
}

/// Does a task. Returns the time at which the handler ended.
SlaveLoop::TimePoint SlaveLoop::work(const SlaveQueue::Task& task) {
    const std::int32_t number = task.parcel.number;
    logLine(spdlog::level::debug, "task {} begins", number);
    const TimePoint begun = connector_.now();
    running_ = {.number = number, .keeps = keptNumberIn(task.parcel)};
    takeInArrived();    // a notice about this task may wait behind its letter
    if (task.tellsBegin) sayBegun(number);
    if (kept_.takeServed()) detail::mailboxOf(connector_).flush();    // a large result must not wait for the end of the task
    const std::exception_ptr raised = exceptions_.firstRaised();
    Outcome outcome = raised ? Outcome(raised) : runHandler(task);
    if (const auto* failure = std::get_if<std::exception_ptr>(&outcome); failure != nullptr && !raised) endIfSpoiled(number, *failure);
    exceptions_.endTask();
    kept_.endTask();
    if (kept_.hasStrays()) dropStrays();
    const bool isForgotten = running_.isForgotten;
    if ((isForgotten || running_.isUnwanted) && running_.keeps != 0) kept_.drop(running_.keeps);
    running_ = {};
    const TimePoint ended = connector_.now();
    trace_.add({TraceEvent::Kind::Task, number, classOfTask(task.parcel), begun, ended});
    if (!isForgotten) answer(number, std::move(outcome), ended - begun);
    logLine(spdlog::level::debug, "task {} is done", number);
    return ended;
}

/// Ends this rank, and no other one, when its process can do no more. The replies to earlier tasks leave before.
void SlaveLoop::endIfSpoiled(std::int32_t number, const std::exception_ptr& failure) {
    Mailbox& mailbox = detail::mailboxOf(connector_);
    if (!mailbox.transport().survivesLosses()) return;
    try {
        std::rethrow_exception(failure);
    } catch (const Exception& e) {
        if (!e.costsProcess()) return;
        logLine(spdlog::level::err, "this rank ends, and task {} goes to another slave: {}", number, e.what());
    } catch (...) {
        return;
    }
    replies_.send();
    mailbox.flush();
    mailbox.transport().die(exitStatus::lostRank);
}

void SlaveLoop::answer(std::int32_t number, Outcome outcome, std::chrono::nanoseconds taken) {
    if (auto* reply = std::get_if<IntBuffer>(&outcome)) {
        setParcelDetail(*reply, saturated(taken));
        replies_.add(std::move(*reply));
    } else {
        const std::exception_ptr& failure = std::get<std::exception_ptr>(outcome);
        try {
            replies_.add(insist([&] {
                const ExceptionMessage message(failure);    // Flow B, step 2: exception -> message
                return packParcel(detail::mailboxOf(connector_), JobKind::Response, {0, number, saturated(taken)},
                                  [&](IntWriter& out) { out << message; });
            }));
        } catch (const std::bad_alloc&) {    // the last words of this rank tell the failure
            DrivenOut::noteUntold(failure, std::current_exception());
            throw;
        }
    }
}

/// Flow B, step 1: the one place that catches exceptions of handlers. Exceptions that end the whole job pass through.
SlaveLoop::Outcome SlaveLoop::runHandler(const SlaveQueue::Task& task) {
    TaskScope scope("unknown task", task.parcel.number);
    std::optional<Context<std::int32_t>> tries;
    if (task.parcel.detail > 1) tries.emplace("try", task.parcel.detail);
    try {
        exceptions_.letThrough();
        std::unique_ptr<Message> reply = callHandler(task, scope);
        if (!reply)
            return packParcel(detail::mailboxOf(connector_), JobKind::Response, {absentReplyKey, task.parcel.number, 0}, [](IntWriter&) {});
        requireOwnClassId(*reply);
        if (running_.keeps != 0) return keepResult(task.parcel.number, std::move(reply));
        return packParcel(detail::mailboxOf(connector_), JobKind::Response, {reply->classId(), task.parcel.number, 0},
                          [&](IntWriter& out) { out << *reply; });
    } catch (const Terminated&) {
        throw;
    } catch (const AssertionFailure&) {
        throw;
    } catch (ForcedUnwind&) {
        throw;
    } catch (...) {
        return std::current_exception();
    }
}

/// Reads the task and runs its handler. Null: a result that the task reads is with no slave.
std::unique_ptr<Message> SlaveLoop::callHandler(const SlaveQueue::Task& task, TaskScope& scope) {
    const Parcel& parcel = task.parcel;
    const bool isTogether = isOfTeam(parcel);
    IntReader in(parcel.body, connector_.factory());
    const ClassId id = isTogether || keepsResult(parcel) ? in.readInt() : parcel.key;
    if (keepsResult(parcel)) {
        if (const std::int32_t result = in.readInt(); result < 1) in.fail("the number of a result", fmt::format("{}", result));
    }
    const auto found = definition_.handlers_.find(id);
    if (found == definition_.handlers_.end())
        throw UsageError(
            fmt::format("this slave has no handler for a {0}: every rank sets one before it runs the job, by "
                        "app.slave().on<{0}>(handler)",
                        connector_.factory().nameOf(id)));
    const Slave::Handler& handler = found->second;
    const std::unique_ptr<Message> request = connector_.factory().createAs<Message>(id);
    scope.setClassName(request->className());
    {
        const RefScope::Active active(kept_);
        in >> *request;
    }
    in.expectEnd();
    request->setSender(0);
    if (kept_.isAnyNoted() && !fetchResults()) return nullptr;
    Task context(connector_, shared_, state_, parcel.number, *this);
    if (handler.isForTeams && !isTogether)
        throw UsageError(fmt::format("the handler of {} takes a ferry::Team: submit the task with ferry::ranks(n)", request->className()));
    if (isTogether && !handler.isForTeams)
        throw UsageError(
            fmt::format("the handler of {} takes no ferry::Team: submit the task without ferry::ranks(n)", request->className()));
    return isTogether ? callInTeam(handler, *request, context) : handler.run(*request, context, nullptr);
}

/// Runs the handler together with the other slaves of the team. Once this slave has said that the task has begun, the others wait for its
/// part. So without memory the slave tries again until it is in the region. An exception that is thrown on this slave from then on waits
/// for the handler, and is thrown in it.
std::unique_ptr<Message> SlaveLoop::callInTeam(const Slave::Handler& handler, const Message& request, Task& context) {
    exceptions_.hold();
    replies_.send();
    if (running_.isCalledOff) throw givenUp(running_.number);    // the team counts a slave that has begun
    sayBegun(running_.number);
    awaitRoster();
    const std::vector<int>& members = running_.roster->ranks;
    const std::unique_ptr<Connector> connector = insist([&] { return TeamConnector::make(connector_, members, running_.roster->id); });
    Team team(*connector, context);
    std::unique_ptr<Message> reply;
    try {
        connector->guarded([&] {
            exceptions_.letThrough();
            try {
                reply = handler.run(request, context, &team);
            } catch (ForcedUnwind&) {
                throw;
            } catch (...) {
                endIfSpoiled(running_.number, std::current_exception());    // to the others a death, before they hear of the exception
                throw;
            }
        });
    } catch (const ExceptionList& failures) {
        throw ExceptionList(countedIn(members, failures.records()), connector_.factory());
    }
    if (connector->rank() != 0) return std::make_unique<Done>();
    return reply;
}

/// Waits until all slaves of the team have begun the task. A slave whose sub-master is lost hears from rank 0 whether they have.
/// Errors: Cancelled when the master has given the team up before.
void SlaveLoop::awaitRoster() {
    while (!running_.roster) {
        if (running_.isCalledOff) throw givenUp(running_.number);
        insist([this] { awaitLetter(); });
    }
}

/// Fetches the results that the task reads. The slave serves others meanwhile, so slaves that fetch from each other do not block each
/// other. False: a result is with no slave. Errors: Cancelled when the task is cancelled meanwhile.
bool SlaveLoop::fetchResults() {
    kept_.fetch();
    if (!kept_.isFetched()) replies_.send();
    while (!kept_.isFetched()) {
        if (running_.isCancelled) throw Cancelled(fmt::format("task {} was cancelled before its results were here", running_.number));
        takeIn(detail::mailboxOf(connector_).take(lettersOfMasters()));
    }
    return kept_.areAllHere();
}

/// Keeps the result of the running task here. Returns the reply that says so.
IntBuffer SlaveLoop::keepResult(std::int32_t task, std::unique_ptr<Message> result) {
    const std::size_t intCount = kept_.keep(running_.keeps, std::move(result));
    try {
        return packParcel(detail::mailboxOf(connector_), JobKind::Response, {keptReplyKey, task, 0},
                          [intCount](IntWriter& out) { out.writeInt64(static_cast<std::int64_t>(intCount)); });
    } catch (...) {
        kept_.drop(running_.keeps);
        throw;
    }
}

/// Drops letters with results that came when nobody waited for them any more.
void SlaveLoop::dropStrays() {
    while (std::optional<Letter> letter = detail::mailboxOf(connector_).arrived().take(lettersOfResults()))
        kept_.arrive(std::move(*letter));
    kept_.noteNoStrays();
}

}    // namespace ferry::detail
