#include <ferry/framework/master/Dispatcher.hpp>

#include <chrono>
#include <list>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/exception/NoMemoryForMessage.hpp>
#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/message/state/MailboxHooks.hpp>
#include <ferry/connector/message/state/insist.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/master/Dependencies.hpp>
#include <ferry/framework/master/SlaveRecruiter.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/monitor/ifMemory.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/framework/parcel/KeptParcel.hpp>
#include <ferry/framework/parcel/TaskNotice.hpp>
#include <ferry/framework/schedule/slaveNumbers.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

// A master that only submits calls still takes in replies: once in this number of submissions.
constexpr std::uint32_t submissionsPerLook = 64;

void requireCount(int count, const char* call) {
    if (count < 0) throw UsageError(fmt::format("{}: expected a number of slaves from 0, found {}", call, count));
}

}    // namespace

Dispatcher::Dispatcher(Connector& connector, const BesideJob& beside)
    : connector_(connector),
      events_(connector, beside.monitor),
      journal_(beside),
      schedule_(connector.size() - 1),
      sharedObjects_(mailboxOf(connector), beside.groups, beside.recruiter != nullptr && beside.recruiter->canRecruit()),
      slaves_(connector, beside, schedule_, sharedObjects_, events_),
      calls_(mailboxOf(connector).hooks().numbers().call),
      followers_(mailboxOf(connector).thread().shared_from_this()),
      sender_(connector, schedule_, calls_, events_, kept_, [this](Call& call, const std::exception_ptr& failure) { fail(call, failure); }),
      teams_(mailboxOf(connector), beside.stragglers,
             {[this](Call& call) { return call.team->size <= slaves_.count() && (!call.kept || kept_.admits(call)); },
              [this](const Call& call) { return !call.kept || kept_.areThereFor(call); }, [this](Call& call) { enqueue(call); },
              [this](Call& call) { hold(call); }, [this](Call& call, const std::exception_ptr& reason) { stop(call, reason); },
              [this](Call& call, const std::exception_ptr& reason) { raiseIn(call, reason); }}),
      kept_(mailboxOf(connector), journal_.isThere(), actionsForResults()),
      counts_{LackOfMemory(mailboxOf(connector))} {
    mailboxOf(connector).hooks().addWork(this, {[this] { return nextWork(); }, [this] { workInWait(); }, [this] { return remarkOnWork(); },
                                                [this] { return !calls_.isEmpty(); }});
}

Dispatcher::~Dispatcher() { mailboxOf(connector_).hooks().removeWork(this); }

// Tasks of the program.

KeptResults::Actions Dispatcher::actionsForResults() {
    return {[this] { return makeCall(); },
            [this](const std::shared_ptr<Call>& call) { calls_.add(call); },
            [this](const std::shared_ptr<TeamCalls>& team) { teams_.open(team, calls_); },
            [this](Call& call) { enqueueAgain(call); },
            [this](Call& call, const std::exception_ptr& reason) { stop(call, reason); },
            [this](int rank) { return !slaves_.isSubMaster(rank) && schedule_.isThere(slaveOfRank(rank)); },
            [this](const std::function<void()>& begin, const std::function<bool()>& condition, Deadline deadline,
                   const Mailbox::Describe& describe) {
                requireThread();
                const DeadlineScope scope = connector_.limitWaits(deadline);
                {
                    const Working working(*this);
                    begin();
                }
                waitUntil(condition, describe);
            }};
}

/// Gives a call to the schedule that was held for results. A team gathers when its turn has come.
void Dispatcher::enqueueAgain(Call& call) {
    if (call.team && call.team->state == TeamCalls::State::Recalled) return;    // the team asks again when all of its calls are home
    const bool isOfTeam = call.team && call.team->state == TeamCalls::State::Waiting;
    if (isOfTeam) teams_.slavesLeft(slaves_.count());    // slaves may have gone since the result was made
    if (call.isDone) return;
    if (slaves_.count() == 0) return static_cast<void>(stop(call, slaves_.noneLeft()));
    isOfTeam ? teams_.resume(*call.team) : enqueue(call);
}

std::shared_ptr<Call> Dispatcher::submit(const Message& task, Keep, const TaskOptions& options) {
    requireThread();
    return submit(task, kept_.makeUse(), options);
}

/// makes: the result that stays with the slave; null: the reply travels to the master.
std::shared_ptr<Call> Dispatcher::submit(const Message& task, std::shared_ptr<KeptUse> makes, const TaskOptions& options) {
    const Working working(*this);
    requireTurn();
    requireOwnClassId(task);
    auto call = makeCall();
    call->retry = options.retry;
    call->isRepeatable = options.isRepeatable;
    call->slavesAtMost = options.isRepeatable ? options.slavesAtMost : 1;
    KeptResults::Written refs(kept_);
    {
        const RefScope::Active active(refs);
        call->request = packTask(mailboxOf(connector_), *call, task, false, makes ? makes->number() : 0);
    }
    call->facts = {task.classId(), options.priority, call->request.size(), CallFacts::noSlave};
    call->kept = refs.partThatMakes(std::move(makes));
    if (journal_.isThere() && KeptResults::isRecognizable(*call)) {
        const IntBuffer keptTask = call->kept ? kept_.recognizable(task, *call) : IntBuffer();
        if (takeFromJournal(*call, onlyParcelIn(call->kept ? keptTask : call->request))) return call;
    }
    call->setDeadline(options.deadline, connector_);
    admit(call);
    ifMemory([this] { feed(Schedule::Supply::MoreComing); });    // without memory a later step sends the call
    return call;
}

std::shared_ptr<Call> Dispatcher::submit(const Message& task, TeamSize size, std::optional<Keep> keep, const TaskOptions& options) {
    const Working working(*this);
    requireTurn();
    requireOwnClassId(task);
    if (size.ranks < 1 || size.ranks > slaves_.count())
        throw UsageError(fmt::format("expected a team of 1 to {} slaves, found ferry::ranks({})", slaves_.count(), size.ranks));
    if (options.retry.times() > 0) throw UsageError("a task of a team is not tried again: submit it again when it has failed");
    const auto team = std::make_shared<TeamCalls>(TeamCalls{.size = size.ranks, .isRepeatable = options.isRepeatable});
    std::shared_ptr<KeptUse> makes = keep ? kept_.makeUse() : nullptr;
    for (int rank = 0; rank < size.ranks; ++rank) {
        const std::shared_ptr<Call> call = makeCall();
        team->calls.push_back(call);
        call->slavesAtMost = options.slavesAtMost;
        KeptResults::Written refs(kept_);
        {
            const RefScope::Active active(refs);
            call->request = packTask(mailboxOf(connector_), *call, task, true, makes ? makes->number() : 0);
        }
        call->kept = refs.partThatMakes(std::exchange(makes, nullptr));    // rank 0 makes the result
        call->facts = {task.classId(), options.priority, call->request.size(), CallFacts::noSlave, true};
        call->place = Call::Place::Held;
        call->isLookedAt = rank > 0;    // only the first call has a future
    }
    const std::shared_ptr<Call> first = team->calls.front();
    first->setDeadline(options.deadline, connector_);
    teams_.open(team, calls_);
    ifMemory([this] {    // without memory a later step sends the calls
        teams_.gatherNext();
        feed(Schedule::Supply::MoreComing);
    });
    return first;
}

void Dispatcher::submit(const std::shared_ptr<Bundle>& bundle) {
    const Working working(*this);
    requireTurn();
    sender_.bundles().submit(bundle);
    ifMemory([this] { feed(Schedule::Supply::MoreComing); });    // without memory a later step sends the call
}

/// Errors: UsageError when there is no slave, or when another master of the connector has open tasks: it would take the replies. The
/// failure that is due on this rank.
void Dispatcher::requireTurn() const {
    slaves_.requireSome();
    if (mailboxOf(connector_).hooks().isOtherBusy(this))
        throw UsageError("another master of this connector has open tasks: one master of a connector has tasks at a time");
    mailboxOf(connector_).throwIfDue();
}

/// Sends waiting calls to slaves. A call whose deadline has passed ends instead.
void Dispatcher::feed(Schedule::Supply supply) {
    const auto now = calls_.nextDue() == Call::TimePoint::max() ? Call::TimePoint::min() : connector_.now();
    while (const std::shared_ptr<Call> call = calls_.overdue(now)) {
        noteOverdue(*call);
        calls_.dropDeadline(*call);
    }
    kept_.settle();
    sender_.feed(supply);
}

std::shared_ptr<Call> Dispatcher::makeCall() {
    std::shared_ptr<Call> call = calls_.make();
    events_.added();
    return call;
}

/// Admits the call. Changes nothing when it throws.
void Dispatcher::admit(const std::shared_ptr<Call>& call) {
    calls_.add(call);
    try {
        enqueue(*call);
    } catch (...) {
        calls_.remove(*call);
        throw;
    }
}

void Dispatcher::enqueue(Call& call) {
    if (call.kept && !kept_.admits(call)) {
        call.place = Call::Place::Held;
        return;
    }
    schedule_.add(call.number, call.facts);
    call.place = Call::Place::Waiting;
}

/// Takes the reply of a call from the journal. True: an earlier run has done the task, and the call is done.
bool Dispatcher::takeFromJournal(Call& call, const Parcel& task) {
    if (!journal_.answer(call, task, connector_.rank())) return false;
    const std::exception_ptr flaw = KeptResults::flawOf(call, call.reply);
    if (call.kept) flaw ? kept_.noteEnded(call, flaw) : kept_.noteDoneBefore(call);
    call.request = IntBuffer();
    events_.endedByJournal();
    followers_.complete(call, flaw);
    return true;
}

void Dispatcher::lookNowAndThen() {
    requireThread();
    if (++counts_.submissions % submissionsPerLook != 0) return;
    try {
        const Working working(*this);
        mailboxOf(connector_).poll(Mailbox::PollWork::None);
        takeInAll();
    } catch (const std::bad_alloc& failure) {
        counts_.lack.bear(failure);
    }
}

std::int32_t Dispatcher::share(std::int32_t key, const SharedObjects::Write& write) {
    const Working working(*this);
    return sharedObjects_.share(key, write, calls_.isEmpty());
}

bool Dispatcher::unshare(std::int32_t key) {
    const Working working(*this);
    return sharedObjects_.drop(key);
}

// Waits.

bool Dispatcher::wait(const Completion& completion) {
    const std::shared_ptr<const Completion> kept = completion.shared_from_this();
    return waitUntil([&completion] { return completion.isDone.load(); }, [&completion] { return completion.awaited(); }, &completion);
}

void Dispatcher::waitForAll() {
    waitUntil([this] { return calls_.isEmpty() && followers_.haveAllRun(); });
}

void Dispatcher::waitUntil(const std::function<bool()>& condition) {
    waitUntil(condition, [] { return lettersOfSlaves().awaited(); });
}

/// awaited: the completion that is waited for; null: none. True: functions have run.
bool Dispatcher::waitUntil(const std::function<bool()>& condition, const Mailbox::Describe& describe, const Completion* awaited) {
    bool hasRun = false;
    const BesideWait beside{[this] { return nextBeside(); }, [this](Call::TimePoint now) { attendBeside(now); }};
    requireThread();
    while (!condition()) {
        std::list<Completion::Following> next;
        try {
            next = followers_.takeNext(awaited);
            if (next.empty()) {
                const Working working(*this);
                attend();
                if (!followers_.hasNext(awaited) && !condition()) rest(describe, beside);
                counts_.lack.noteEnough();
            }
        } catch (const std::bad_alloc& failure) {
            counts_.lack.bear(failure);
        }
        if (followers_.run(std::move(next))) hasRun = true;    // functions may wait for threads of their own, so no call is held here
    }
    return hasRun;
}

/// Moves the job on while a call of the connector waits.
void Dispatcher::workInWait() {
    if (!isWorking_) moveOn(false);    // else the wait is one of the dispatcher's own
}

/// Moves the job on by the letters that have come. looks: looks for them first.
void Dispatcher::moveOn(bool looks) {
    try {
        const Working working(*this);
        if (looks) mailboxOf(connector_).poll(Mailbox::PollWork::None);
        do {
            takeInAll();
            attend();    // its sends may take letters in, which nothing announces to the wait
        } while (hasLetter() || mailboxOf(connector_).departures().hasUntakenLoss());
        counts_.lack.noteEnough();
    } catch (const std::bad_alloc& failure) {
        counts_.lack.bear(failure);
    }
}

/// The functions of then() that are due do not run in waits of the connector, which may be within such a function.
std::string Dispatcher::remarkOnWork() const {
    if (followers_.isEmpty()) return "";
    if (followers_.areNestedMost()) return fmt::format("functions of then() are due, but {} run inside each other", Followers::mostNested);
    return "a function that was given to then() is due: a wait or a poll() of the master runs it";
}

void Dispatcher::poll(const Completion* awaited) {
    moveOn(true);
    while (followers_.runNext(awaited)) {}
}

/// Rests until a letter comes or a deadline, retry, recall or task of BesideWait is due.
void Dispatcher::rest(const Mailbox::Describe& describe, const BesideWait& beside) {
    if (inHand_) return takeInAll();
    const auto wakeAt = nextDue();
    const auto waitBegin = connector_.now();
    const bool hasCome = mailboxOf(connector_).awaitLetter(lettersOfSlaves(), describe, wakeAt, Waiter::Call, &beside);
    sender_.noteWait(waitBegin);
    if (hasCome) takeInAll();
}

/// Does the work that is due even when no letter comes: deadlines, retries, journal, monitor, sending and recalls.
void Dispatcher::attend() {
    const auto now = connector_.now();
    while (const std::shared_ptr<Call> call = calls_.rested(now)) {
        enqueue(*call);
        calls_.wake(*call);
    }
    attendBeside(now);
    if (followers_.droppedMaps()->isAny()) followers_.droppedMaps()->withdrawAll(*this);
    feed(Schedule::Supply::Complete);
    sender_.recall();
}

/// Does the work that is due at `now`: writes new entries to the journal and shows the monitor's lines.
void Dispatcher::attendBeside(Call::TimePoint now) {
    journal_.write(now);
    events_.show(now);
}

// Letters of slaves.

const Filter& Dispatcher::lettersOfSlaves() {
    // Never destroyed: exit() on one rank leaves the others at work.
    static const Filter& filter =
        *new Filter(Filter({JobKind::Response, JobKind::Request, JobKind::TaskNotice}).describedBy([](const Filter&) -> std::string {
            return "the reply to any task";
        }));
    return filter;
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
    journal_.throwIfFailed();
    takeInLosses();    // after the replies, so that the answers of a lost slave count
    const auto now = connector_.now();
    attendBeside(now);    // before any caller sees the replies
    sender_.findPace(now);
    feed(Schedule::Supply::MoreComing);
}

/// Whether a letter is in hand. Takes the next arrived letter if none is in hand.
bool Dispatcher::hasLetter() {
    if (inHand_) return true;
    if (auto letter = mailboxOf(connector_).arrived().take(lettersOfSlaves())) inHand_.emplace(std::move(*letter));
    return inHand_.has_value();
}

void Dispatcher::takeIn(LetterInHand& hand) {
    if (hand.letter().envelope.kind == JobKind::TaskNotice) {
        if (KeptResults::concerns(hand.letter())) return kept_.takeIn(hand.shared());
        return takeInNotice(hand.letter());
    }
    if (hand.letter().missingInts != 0) return takeInStart(hand.shared());
    if (!hand.isCut()) begin(hand);
    const auto now = connector_.now();    // all parcels of a letter have come at the same time
    for (; const Parcel* parcel = hand.next(); hand.passNext()) takeIn(hand, *parcel, now);
    if (hand.areGivenBack() && hand.from() > 0) schedule_.recallAnswered(slaveOfRank(hand.from()), now);
}

void Dispatcher::begin(LetterInHand& hand) {
    hand.cut();
    if (hand.areReplies()) sharedObjects_.noteReply(hand.from());
    if (hand.from() > 0) events_.received(hand.from(), hand.letter().ints.size());
}

void Dispatcher::takeIn(LetterInHand& hand, const Parcel& parcel, Call::TimePoint now) {
    const int from = hand.from();
    if (!hand.areReplies()) {
        if (parcel.number == newCall) return adopt(from, parcel);
        return takeBack(from, parcel);
    }
    if (isOriginOfReplies(parcel) && slaves_.isSubMaster(from)) {
        hand.setAnsweringRank(slaves_.slaveBehind(from, parcel));
    } else {
        if (!calls_.hasBundles() || !sender_.bundles().takeInReply(hand, parcel, now)) takeInReply(hand, parcel, now);
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
    if (letter->envelope.kind != JobKind::Response || !heads.areAll) counts_.lack.failJob(reason);
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

void Dispatcher::takeInReply(LetterInHand& hand, const Parcel& parcel, Call::TimePoint now) {
    const std::shared_ptr<const Letter>& letter = hand.shared();
    const std::shared_ptr<Call> call = callAt(letter->from, parcel.number, "answers");
    if (!call) return;
    const std::chrono::nanoseconds taken(std::max(parcel.detail, 0));
    const int slaveRank = hand.answeringRank();
    if ((parcel.key == absentReplyKey && call->kept) || (call->team && Teams::isGivenBack(*call, parcel, connector_.factory()))) {
        schedule_.finished(slaveOfRank(letter->from), call->number, std::nullopt, now);
        events_.givenBack(letter->from);
        return holdAgain(*call);
    }
    const bool isMeasured = !call->isCancelled && !call->team;    // slaves of a team wait for each other
    schedule_.finished(slaveOfRank(letter->from), call->number, isMeasured ? std::optional(taken) : std::nullopt, now);
    events_.answered(slaveRank, call->number, taken, parcel.key == 0, now);
    call->answeringRank = slaveRank;
    if (parcel.key == 0) return fail(*call, failureIn(parcel, connector_.factory()));
    if (const std::exception_ptr flaw = KeptResults::flawOf(*call, parcel)) return fail(*call, flaw);
    call->letter = letter;
    call->reply = parcel;
    journal_.add(*call);
    finish(*call, nullptr);
}

/// Holds a call whose slave has not found all results that the call reads, until they are there again.
void Dispatcher::holdAgain(Call& call) {
    call.place = Call::Place::Held;
    call.begunOn = 0;
    if (isEndedBefore(call)) return;
    call.team ? teams_.noteHeld(call) : insist([&] { enqueue(call); });
}

/// Takes a waiting call out of the schedule's queue, or out of the batch that could not be sent yet.
void Dispatcher::takeFromQueue(Call& call) {
    insist([&] {
        if (!schedule_.cancel(call.number)) sender_.takeOut(call.number);
    });
}

/// Takes a call out of the schedule's queue, and holds it.
void Dispatcher::hold(Call& call) {
    takeFromQueue(call);
    call.place = Call::Place::Held;
}

void Dispatcher::takeBack(int from, const Parcel& parcel) {
    const std::shared_ptr<Call> call = callAt(from, parcel.number, "gives back");
    if (!call) return;
    if (call->request.isEmpty()) {
        call->request = packParcel(mailboxOf(connector_), JobKind::Request, parcel, [&](IntWriter& out) { out.writeInts(parcel.body); });
    }
    schedule_.givenBack(slaveOfRank(from), call->number, connector_.now());
    events_.givenBack(from);
    call->place = Call::Place::Waiting;
    call->begunOn = 0;
    if (isEndedBefore(*call)) return;
    if (slaves_.count() == 0) {
        stop(*call, slaves_.noneLeft());    // a sub-master that has lost its group
    } else if (call->team) {
        teams_.noteGivenBack(*call);
    }
}

/// Adopts a task that a handler of the slave submits. Adds no call when it throws.
void Dispatcher::adopt(int from, const Parcel& parcel) {
    leaveOutOfJournal(from);
    const std::shared_ptr<Call> call = makeCall();
    call->request = packParcel(mailboxOf(connector_), JobKind::Request, {parcel.key, call->number, call->tryNumber},
                               [&](IntWriter& out) { out.writeInts(parcel.body); });
    call->facts = {parcel.key, parcel.detail, call->request.size(), CallFacts::noSlave};
    std::list<Completion::Following> adoption = followers_.adoptionOf(call);
    if (!takeFromJournal(*call, parcel)) admit(call);
    followers_.handOver(adoption);
}

/// Removes the journal keys of all calls that the slave has. One of their handlers has submitted a task.
/// A later run would not get that submission if it took the handler's task from the journal.
/// The dispatcher does not know which of the slave's calls submitted the task.
void Dispatcher::leaveOutOfJournal(int slaveRank) {
    if (!journal_.isThere() || slaveRank < 1) return;
    for (const std::int32_t number : schedule_.callsAt(slaveOfRank(slaveRank))) calls_.at(number)->journalKey.reset();
}

/// The open call that a letter of the rank names. null: that rank does not have the call.
std::shared_ptr<Call> Dispatcher::callAt(int rank, std::int32_t number, const char* what) {
    std::shared_ptr<Call> call = sender_.bundles().callAt(rank, number);
    if (!call) {
        ifMemory([&] { logLine(spdlog::level::err, "rank {} {} call {}, which it does not have: that is dropped", rank, what, number); });
    }
    return call;
}

// The end of a call.

void Dispatcher::fail(Call& call, const std::exception_ptr& failure) {
    std::exception_ptr outcome = failure;
    bool isTriedAgain = false;
    ifMemory([&] {    // without memory the call keeps its own failure
        if (call.team && call.team->reason) {
            outcome = call.team->reason;
        } else if (call.isOverdue && isCancellation(failure)) {
            outcome = insist([&] { return call.timeOut(connector_.now()); });
        } else if (call.team && call.isCancelled && isCancellation(failure)) {
            outcome = insist([&] { return std::make_exception_ptr(Cancelled(fmt::format("task {} was cancelled", call.number))); });
        } else {
            isTriedAgain = retry(call, failure);
        }
    });
    if (!isTriedAgain) finish(call, outcome);
}

/// Plans a further try of the call. False: the call is not tried again.
bool Dispatcher::retry(Call& call, const std::exception_ptr& failure) {
    if (call.isCancelled || call.raised || call.tryNumber > call.retry.times() || !call.retry.covers(failure)) return false;
    if (log().should_log(spdlog::level::info)) {    // report() takes time
        logLine(spdlog::level::info, "task {} has failed on rank {} at try {} and is tried again: {}", call.number, call.answeringRank,
                call.tryNumber, report(failure));
    }
    events_.retried(call.answeringRank);
    setParcelDetail(call.request, ++call.tryNumber);
    call.facts.avoided = slaveOfRank(call.slaveRank);
    calls_.rest(call, connector_.now() + call.retry.pauseBefore(call.tryNumber));
    return true;
}

void Dispatcher::finish(Call& call, std::exception_ptr failure) {
    events_.ended(failure != nullptr);
    const std::shared_ptr<Call> removed = calls_.remove(call);    // this may be the last owner
    if (removed->team) teams_.noteEnded(*removed, failure);
    if (removed->bundle) sender_.bundles().endAll(*removed, failure);
    if (removed->kept) kept_.noteEnded(*removed, failure);
    call.request = IntBuffer();
    followers_.complete(call, std::move(failure));
}

bool Dispatcher::cancel(Completion& completion) {
    const Working working(*this);
    if (completion.isDone) return false;
    if (auto* call = dynamic_cast<Call*>(&completion)) return cancelCall(*call);
    const Dependencies behind = dependenciesOf(completion);
    bool areAllCancelled = !behind.openEnds.empty();
    for (const std::shared_ptr<Completion>& end : behind.openEnds) areAllCancelled = cancel(*end) && areAllCancelled;
    return areAllCancelled;
}

bool Dispatcher::cancelCall(Call& call) {
    call.isLookedAt = true;
    return stop(call, std::make_exception_ptr(Cancelled(fmt::format("task {} was cancelled before it had begun", call.number))));
}

/// Ends a call that a slave has not done, if its deadline has passed, or if the program has cancelled it or raised an exception in it.
bool Dispatcher::isEndedBefore(Call& call) {
    if (call.team && call.team->reason) {
        stop(call, call.team->reason);
    } else if (call.isOverdue) {
        noteOverdue(call);
    } else if (call.isCancelled) {
        cancelCall(call);
    } else if (call.raised) {
        stop(call, call.raised);
    }
    return call.isDone;
}

bool Dispatcher::raise(Completion& completion, const std::exception_ptr& exception) {
    const Working working(*this);
    if (completion.isDone) return false;
    if (auto* call = dynamic_cast<Call*>(&completion)) {
        raiseIn(*call, exception);
        return true;
    }
    const Dependencies behind = dependenciesOf(completion);
    bool isAny = false;
    for (const std::shared_ptr<Completion>& end : behind.openEnds) isAny = raise(*end, exception) || isAny;
    return isAny;
}

void Dispatcher::raiseIn(Call& call, const std::exception_ptr& exception) {
    if (call.team && teams_.giveUp(call, exception)) return;    // no handler runs yet
    if (call.place == Call::Place::AtSlave) {
        sendRaised(mailboxOf(connector_), call.slaveRank, call.number, exception);
        if (!call.raised) call.raised = exception;
    } else {
        stop(call, exception);
    }
}

int Dispatcher::rankOf(Completion& completion) {
    Call* const call = &callOf(completion);
    const std::shared_ptr<const Completion> kept = call->shared_from_this();
    int askedFor = 0;
    const auto isKnown = [call] { return call->isDone || isAtWork(*call); };
    const auto isToAsk = [call, &askedFor] { return call->place == Call::Place::AtSlave && call->handOutCount != askedFor; };
    while (!isKnown()) {
        if (isToAsk()) {
            const Working working(*this);
            sendNotice(mailboxOf(connector_), call->slaveRank, TaskNotice::TellBegin, {}, call->number);
            askedFor = call->handOutCount;
        }
        waitUntil([&] { return isKnown() || isToAsk(); }, [call] { return call->awaited(); });
    }
    if (!call->isDone) return call->begunOn;
    if (call->answeringRank == 0 && call->failure) {
        call->isLookedAt = true;
        std::rethrow_exception(call->failure);
    }
    return call->answeringRank;
}

std::optional<int> Dispatcher::knownRankOf(const Completion& completion) const {
    const Call& call = callOf(completion);
    if (call.isDone) return call.answeringRank == 0 && call.failure ? std::nullopt : std::optional(call.answeringRank);
    if (call.place != Call::Place::AtSlave) return std::nullopt;
    if (call.begunOn != 0) return call.begunOn;
    return slaves_.isSubMaster(call.slaveRank) ? std::nullopt : std::optional(call.slaveRank);
}

/// True: no slave had the call, and the call has failed for the reason. False: the slave is told.
bool Dispatcher::stop(Call& call, const std::exception_ptr& reason) {
    if (call.team && !teams_.giveUp(call, reason)) {
        // A team at work: the task is cancelled on all of its slaves.
        const auto calls = insist([&] { return call.team->calls; });
        for (const std::shared_ptr<Call>& each : calls) {
            if (!each->isDone && each->place == Call::Place::AtSlave) tellCancelled(*each);
        }
    }
    if (call.isDone) return true;
    if (call.place == Call::Place::AtSlave) {
        tellCancelled(call);
        return false;
    }
    if (call.place == Call::Place::Waiting) takeFromQueue(call);
    finish(call, reason);
    return true;
}

void Dispatcher::tellCancelled(Call& call) {
    if (!call.isCancelled) insist([&] { sendNotice(mailboxOf(connector_), call.slaveRank, TaskNotice::Cancelled, {call.number}); });
    call.isCancelled = true;
}

void Dispatcher::noteOverdue(Call& call) {
    call.isOverdue = true;
    stop(call, call.timeOut(connector_.now()));
}

// Slaves that join, leave and are lost.

void Dispatcher::addSlaves(int count) {
    requireThread();
    requireCount(count, "addSlaves");
    mailboxOf(connector_).throwIfDue();
    if (count == 0) return;
    const Working working(*this);
    slaves_.add(count);
    feed(Schedule::Supply::Complete);
}

int Dispatcher::dismissSlaves(int count) {
    requireCount(count, "dismissSlaves");
    poll();
    const Working working(*this);
    int dismissed = 0;
    while (dismissed < count && (calls_.isEmpty() || slaves_.count() > 1) &&
           slaves_.dismissIdle([this](int rank) { return kept_.mayLeave(rank); }))
        ++dismissed;
    teams_.slavesLeft(slaves_.count());
    return dismissed;
}

void Dispatcher::takeInLosses() {
    while (const auto loss = mailboxOf(connector_).departures().takeLoss()) {
        try {
            takeInLoss(*loss);
        } catch (const std::bad_alloc&) {
            counts_.lack.failJob(std::current_exception());    // the tasks of the lost slave are not known any more
        }
    }
}

void Dispatcher::takeInLoss(const Loss& loss) {
    if (loss.rank > 0) sender_.bundles().breakUpAt(slaveOfRank(loss.rank));
    const auto orphans = slaves_.lose(loss);
    if (!orphans) return;
    kept_.lose(loss);
    std::size_t givenOut = 0;
    std::vector<std::shared_ptr<Call>> calls;
    for (const Schedule::Orphan& orphan : *orphans) calls.push_back(calls_.at(orphan.call));
    kept_.noteMayHave(slaves_.slavesServedFor(loss.rank), calls);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (!calls[i]->isDone) givenOut += takeFromLost(loss, (*orphans)[i]) ? 1 : 0;    // a team may have ended with another of its calls
    }
    slaves_.replaceLost(loss.rank);
    teams_.serve(slaves_.slavesServedFor(loss.rank), calls);
    teams_.slavesLeft(slaves_.count());
    if (slaves_.count() == 0) return failAll();
    if (loss.exitStatus) return;    // the job ends, and its report tells why
    logLine(spdlog::level::warn, "{}: the job goes on without it, {} go to others", loss.text(),
            slaves_.hasSubMaster(loss.rank) ? std::string("its tasks") : fmt::format("{} of its tasks", givenOut));
}

void Dispatcher::takeInNotice(const Letter& letter) {
    if (noticeIn(letter) != TaskNotice::Begun) return takeInOrphaned(letter);
    const int rank = slaves_.begunRankIn(letter);
    for (const std::int32_t number : numbersIn(letter)) {
        const std::shared_ptr<Call> call = callAt(letter.from, number, "has begun");
        if (!call) continue;
        call->begunOn = rank;
        if (call->team) teams_.noteBegun(*call);
    }
}

/// Takes in a letter of a sub-master that has lost a slave. The letter lists the calls that the lost slave may have begun.
void Dispatcher::takeInOrphaned(const Letter& letter) {
    const int lostRank = slaves_.lostRankIn(letter);
    const std::vector<std::int32_t> numbers = numbersIn(letter);
    kept_.lose({lostRank, "is lost"});
    std::size_t givenOut = 0;
    for (const std::int32_t number : numbers) {
        if (!callAt(letter.from, number, "has lost")) continue;
        schedule_.givenBack(slaveOfRank(letter.from), number, connector_.now(), true);
        events_.givenBack(letter.from);
        givenOut += takeFromLost({lostRank, "is lost"}, {number, true}) ? 1 : 0;
    }
    events_.orphaned(lostRank, numbers.size());
    logLine(spdlog::level::info, "{} tasks that rank {} had from rank {} go to others", givenOut, lostRank, letter.from);
    if (slaves_.count() == 0) failAll();
}

/// Puts the call of a lost slave back into the queue. False: the call has ended instead.
bool Dispatcher::takeFromLost(const Loss& loss, const Schedule::Orphan& orphan) {
    const std::shared_ptr<Call> call = calls_.at(orphan.call);
    call->place = Call::Place::Waiting;
    call->begunOn = 0;
    if (call->team && call->team->state == TeamCalls::State::Working) {
        endTeamOf(*call, loss);
        return false;
    }
    call->facts.isSuspect = call->facts.isSuspect || orphan.mayHaveRun;
    if (isEndedBefore(*call)) return false;
    if (orphan.mayHaveRun) {
        if (call->noteLost(loss.rank) >= call->slavesAtMost) stop(*call, call->poisoned(connector_.factory()));
    }
    if (call->team && !call->isDone) teams_.noteGivenBack(*call);
    return !call->isDone;
}

/// Ends a team that was at work when one of its slaves was lost: the others get the reason in their handlers.
void Dispatcher::endTeamOf(Call& call, const Loss& loss) {
    schedule_.cancel(call.number);
    finish(call, teams_.noteLost(call, loss));
}

/// Fails the open calls when no slave is left. Calls at a sub-master that has lost its group are given back first, and fail then.
void Dispatcher::failAll() {
    const std::exception_ptr reason = slaves_.noneLeft();
    const std::vector<std::shared_ptr<Call>> open = calls_.withoutSlave();
    logLine(spdlog::level::err, "{}: no slave is left, {} tasks are not done", slaves_.lastLoss().text(), open.size());
    for (const std::shared_ptr<Call>& call : open) {
        call->isLookedAt = true;    // the line above reports the failure
        stop(*call, reason);
    }
}

}    // namespace ferry::detail
