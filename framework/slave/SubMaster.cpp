#include <ferry/framework/slave/SubMaster.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/monitor/TraceCollection.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/framework/parcel/TaskNotice.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry::detail {

namespace {

const Filter& lettersOfMasterAndSlaves() {
    // Never destroyed: exit() on one rank leaves the others at work.
    static const Filter& filter = *new Filter(
        Filter({JobKind::Request, JobKind::Response, JobKind::SharedNotice, JobKind::Shared, JobKind::TaskNotice, JobKind::Trace})
            .describedBy([](const Filter&) -> std::string { return "a task from the master, or a reply of its group"; }));
    return filter;
}

}    // namespace

SubMaster::SubMaster(Connector& connector, const SlaveGroups& groups, std::size_t traceRoom)
    : connector_(connector),
      firstSlave_(connector.rank() + 1),
      exceptions_(connector),
      schedule_(static_cast<int>(groups.slavesOf(connector.rank()).size())),
      replies_(detail::mailboxOf(connector), 0),
      trace_(traceRoom),
      asked_(static_cast<std::size_t>(schedule_.slaveCount())) {
    exceptions_.hold();    // no handler runs on this rank
}

void SubMaster::run() {
    for (;;) {
        takeInAll();
        feed();
        sendRepliesIfDue();
        rest();
    }
}

void SubMaster::takeInAll() {
    detail::mailboxOf(connector_).poll(Mailbox::PollWork::None);
    while (std::optional<Letter> letter = detail::mailboxOf(connector_).arrived().take(lettersOfMasterAndSlaves()))
        takeIn(std::move(*letter));
    takeInLosses();    // after the replies, so that the answers of a lost slave count
}

/// Rests until a letter comes, or replies or recalls are due.
void SubMaster::rest() {
    const TimePoint sendAt = replies_.isEmpty() ? TimePoint::max() : replies_.oldest() + replyWait_;
    const TimePoint begin = connector_.now();
    detail::mailboxOf(connector_)
        .awaitLetter(
            lettersOfMasterAndSlaves(), [] { return lettersOfMasterAndSlaves().awaited(); }, std::min(sendAt, schedule_.nextRecall()),
            Waiter::Idle);
    trace_.add({TraceEvent::Kind::Wait, 0, 0, begin, connector_.now()});
}

void SubMaster::takeIn(Letter letter) {
    if (letter.from == 0) return takeInFromMaster(std::move(letter));
    const int slave = letter.from - firstSlave_;
    if (slave >= 0 && slave < schedule_.slaveCount()) return takeInFromSlave(slave, std::move(letter));
    throw SerializationError(fmt::format("rank {} is neither the master nor of this group", letter.from));
}

void SubMaster::takeInFromMaster(Letter letter) {
    const MessageKind kind = letter.envelope.kind;
    if (kind == JobKind::Request) return takeTasks(std::move(letter));
    if (kind == JobKind::SharedNotice || kind == JobKind::Shared) return handOn(letter);
    if (kind == JobKind::TaskNotice) return takeNotice(std::move(letter));
    if (kind == JobKind::Trace) return answerTraceLetter(connector_, letter, trace_);
    throw SerializationError("the master answers no tasks");
}

void SubMaster::takeInFromSlave(int slave, Letter letter) {
    if (!schedule_.isThere(slave)) return;
    if (letter.envelope.kind == JobKind::Response) return takeReplies(slave, std::move(letter));
    if (letter.envelope.kind == JobKind::TaskNotice) return takeBegun(slave, letter);
    if (letter.envelope.kind != JobKind::Request)
        throw SerializationError(fmt::format("expected tasks from the master alone, found some from rank {}", letter.from));
    const auto shared = std::make_shared<const Letter>(std::move(letter));
    const std::vector<Parcel> parcels = parcelsIn(*shared);
    const bool areNew = !parcels.empty() && parcels.front().number == newCall;
    if (areNew)
        return detail::mailboxOf(connector_)
            .postInts(0, Channel::Data, shared->wholeInts());    // sent before the reply of the submitting task
    takeGivenBack(slave, shared, parcels);
}

void SubMaster::takeTasks(Letter letter) {
    replyWait_ = replyWaitIn(letter) / 2;
    const bool mayEndSlaves = isSuspect(letter);
    const auto shared = std::make_shared<const Letter>(std::move(letter));
    for (const Parcel& parcel : parcelsIn(*shared)) {
        const bool isNew = entries_.try_emplace(parcel.number, Entry{shared, parcel}).second;
        if (!isNew) throw SerializationError(fmt::format("task {} is here already", parcel.number));
        const int avoided = parcel.detail > 1 ? failures_.slaveOf(parcel.number) : CallFacts::noSlave;
        schedule_.add(parcel.number, {classOfTask(parcel), 0, parcel.body.size(), avoided, mayEndSlaves});
    }
    if (schedule_.liveCount() == 0) giveBackAll();
}

void SubMaster::takeNotice(Letter letter) {
    if (noticeIn(letter) == TaskNotice::Raised) return raise(std::move(letter));
    if (noticeIn(letter) == TaskNotice::Roster) return handOnRoster(letter);
    const std::vector<std::int32_t> numbers = numbersIn(letter);
    switch (noticeIn(letter)) {
        case TaskNotice::GiveBack: return giveBack(numbers);
        case TaskNotice::Cancelled: return cancel(numbers);
        case TaskNotice::TellBegin: return tellBegin(letter.envelope.number);
        default: throw SerializationError(fmt::format("expected a notice of kind 1, 2, 6, 7 or 9, found {}", letter.envelope.key));
    }
}

/// Hands an exception on to the slave that has its task. A task that no slave has fails with the exception.
void SubMaster::raise(Letter letter) {
    const auto entry = entries_.find(letter.envelope.number);
    if (entry == entries_.end()) return;    // the task is over
    if (entry->second.slave == waiting) {
        answerWith(entry, exceptionIn(letter, connector_.factory()));
        return replies_.send();
    }
    detail::mailboxOf(connector_).postInts(rankOf(entry->second.slave), Channel::Data, letter.wholeInts());
    entry->second.raised = std::make_shared<const Letter>(std::move(letter));    // counts when the slave gives the task back
}

/// Hands a roster on to the slave that has begun the task. A slave that is lost has no use for it.
void SubMaster::handOnRoster(const Letter& letter) {
    const auto entry = entries_.find(letter.envelope.number);
    if (entry == entries_.end() || entry->second.slave == waiting) return;
    detail::mailboxOf(connector_).postInts(rankOf(entry->second.slave), Channel::Data, letter.wholeInts());
}

/// Lets the slave that has the task, or will get it, tell when the task begins.
void SubMaster::tellBegin(std::int32_t number) {
    const auto entry = entries_.find(number);
    if (entry == entries_.end()) return;    // the task is over
    entry->second.tellsBegin = true;
    if (entry->second.slave == waiting) return;
    sendNotice(detail::mailboxOf(connector_), rankOf(entry->second.slave), TaskNotice::TellBegin, {}, number);
}

void SubMaster::takeBegun(int slave, const Letter& letter) {
    if (noticeIn(letter) != TaskNotice::Begun || letter.envelope.number != letter.from)
        throw SerializationError(fmt::format("expected tasks from the master alone, found some from rank {}", letter.from));
    for (const std::int32_t number : numbersIn(letter)) {
        if (isAt(slave, number)) sendNotice(detail::mailboxOf(connector_), 0, TaskNotice::Begun, {number}, letter.from);
    }
}

void SubMaster::handOn(const Letter& letter) {
    for (int slave = 0; slave < schedule_.slaveCount(); ++slave) {
        if (schedule_.isThere(slave)) detail::mailboxOf(connector_).postInts(rankOf(slave), Channel::Data, letter.wholeInts());
    }
}

void SubMaster::Failures::note(std::int32_t number, int slave) {
    if (last_.size() == mostKept) last_.pop_front();
    last_.push_back({number, slave});
}

int SubMaster::Failures::slaveOf(std::int32_t number) const {
    const auto failure = std::find_if(last_.rbegin(), last_.rend(), [number](const auto& one) { return one.first == number; });
    return failure != last_.rend() ? failure->second : CallFacts::noSlave;
}

bool SubMaster::isAt(int slave, std::int32_t number) const {
    const auto entry = entries_.find(number);
    return entry != entries_.end() && entry->second.slave == slave;
}

void SubMaster::takeReplies(int slave, Letter letter) {
    const std::vector<Parcel> parcels = parcelsIn(letter);
    const TimePoint now = connector_.now();
    for (const Parcel& parcel : parcels) {
        if (!isAt(slave, parcel.number))
            throw SerializationError(fmt::format("rank {} answers task {}, which it does not have", letter.from, parcel.number));
        const bool isCancelled = entries_.at(parcel.number).isCancelled;
        const std::chrono::nanoseconds taken(std::max(parcel.detail, 0));
        schedule_.finished(slave, parcel.number, isCancelled ? std::nullopt : std::optional(taken), now);
        if (parcel.key == 0) failures_.note(parcel.number, slave);
        entries_.erase(parcel.number);
    }
    IntBuffer replies = packParcel(detail::mailboxOf(connector_), JobKind::Response, originOfReplies(letter.from), [](IntWriter&) {});
    appendParcels(replies, letter.wholeInts());
    detail::mailboxOf(connector_).giveBack(std::move(letter));
    replies_.add(std::move(replies));
}

/// Takes in a slave's answer to a GiveBack notice. The answer may hold no task.
void SubMaster::takeGivenBack(int slave, const std::shared_ptr<const Letter>& letter, const std::vector<Parcel>& parcels) {
    std::deque<Asked>& asked = asked_[static_cast<std::size_t>(slave)];
    if (asked.empty()) throw SerializationError(fmt::format("rank {} gives back tasks, and was not asked to", letter->from));
    const Asked why = asked.front();
    asked.pop_front();
    for (auto parcel = parcels.rbegin(); parcel != parcels.rend(); ++parcel) {
        if (!isAt(slave, parcel->number)) continue;
        const auto entry = entries_.find(parcel->number);
        entry->second.letter = letter;
        entry->second.parcel = *parcel;
        entry->second.slave = waiting;
        if (why == Asked::ForMaster) {
            schedule_.takenAway(slave, parcel->number);
            back_.push_back(std::move(entry->second));
            entries_.erase(entry);
            continue;
        }
        schedule_.givenBack(slave, parcel->number, connector_.now());
        if (entry->second.isCancelled) {
            answerCancelled(entry);
        } else if (entry->second.raised) {
            answerWith(entry, exceptionIn(*entry->second.raised, connector_.factory()));
        }
    }
    if (why == Asked::ForGroup) return schedule_.recallAnswered(slave, connector_.now());
    --askedForMaster_;
    answerMaster();
}

/// Gives tasks back to the master. Waiting tasks go back at once; the slaves are asked for the tasks that they have not begun.
void SubMaster::giveBack(const std::vector<std::int32_t>& numbers) {
    std::vector<std::int32_t> atSlaves;
    for (const std::int32_t number : numbers) {
        const auto entry = entries_.find(number);
        if (entry == entries_.end()) continue;
        if (entry->second.slave != waiting) {
            atSlaves.push_back(number);
            continue;
        }
        schedule_.cancel(number);
        back_.push_back(std::move(entry->second));
        entries_.erase(entry);
    }
    askSlaves(TaskNotice::GiveBack, atSlaves, Asked::ForMaster);
    answerMaster();
}

void SubMaster::giveBackAll() {
    std::vector<std::int32_t> numbers;
    for (const auto& [number, entry] : entries_) numbers.push_back(number);
    giveBack(numbers);
}

/// Answers the master's GiveBack notice when all slaves have given back their tasks.
void SubMaster::answerMaster() {
    if (askedForMaster_ > 0) return;
    replies_.send();
    // The numbers of the tasks give, at least nearly, the order in which the master gave them out.
    std::sort(back_.begin(), back_.end(), [](const Entry& left, const Entry& right) { return left.parcel.number < right.parcel.number; });
    detail::mailboxOf(connector_).post(0, Channel::Data, Envelope{JobKind::Request, 0, 0}, [this](IntWriter& out) {
        for (const Entry& entry : back_) writeParcel(out, entry.parcel);
    });
    back_.clear();
}

void SubMaster::cancel(const std::vector<std::int32_t>& numbers) {
    std::vector<std::int32_t> atSlaves;
    for (const std::int32_t number : numbers) {
        const auto entry = entries_.find(number);
        if (entry == entries_.end()) continue;
        entry->second.isCancelled = true;
        if (entry->second.slave == waiting) {
            answerCancelled(entry);
        } else {
            atSlaves.push_back(number);
        }
    }
    askSlaves(TaskNotice::Cancelled, atSlaves, std::nullopt);
    replies_.send();
}

/// Answers a cancelled task that no slave has.
void SubMaster::answerCancelled(Entries::iterator entry) {
    answerWith(entry, std::make_exception_ptr(Cancelled(fmt::format("task {} was cancelled before it began", entry->first))));
}

/// Answers a task that no slave has with an exception.
void SubMaster::answerWith(Entries::iterator entry, const std::exception_ptr& exception) {
    const std::int32_t number = entry->first;
    schedule_.cancel(number);
    entries_.erase(entry);
    const ExceptionMessage message(exception);
    replies_.add(packParcel(detail::mailboxOf(connector_), JobKind::Response, {0, number, 0}, [&](IntWriter& out) { out << message; }));
}

/// Tells each slave which of these tasks it holds.
void SubMaster::askSlaves(TaskNotice notice, const std::vector<std::int32_t>& numbers, std::optional<Asked> why) {
    std::map<int, std::vector<std::int32_t>> bySlave;
    for (const std::int32_t number : numbers) bySlave[entries_.at(number).slave].push_back(number);
    for (const auto& [slave, calls] : bySlave) {
        sendNotice(detail::mailboxOf(connector_), rankOf(slave), notice, calls);
        if (!why) continue;
        asked_[static_cast<std::size_t>(slave)].push_back(*why);
        if (*why == Asked::ForMaster) ++askedForMaster_;
    }
}

void SubMaster::takeInLosses() {
    while (const std::optional<Loss> loss = detail::mailboxOf(connector_).departures().takeLoss()) {
        const int slave = loss->rank - firstSlave_;
        if (slave >= 0 && slave < schedule_.slaveCount() && schedule_.isThere(slave)) lose(slave);
    }
}

/// Notes the loss of a slave. It may have worked on each of its tasks, so the master decides about all of them.
void SubMaster::lose(int slave) {
    std::vector<std::int32_t> mayHaveRun;
    for (const Schedule::Orphan& orphan : schedule_.lose(slave)) {
        schedule_.cancel(orphan.call);
        entries_.erase(orphan.call);
        mayHaveRun.push_back(orphan.call);
    }
    replies_.send();
    sendNotice(detail::mailboxOf(connector_), 0, TaskNotice::Orphaned, mayHaveRun, rankOf(slave));
    std::deque<Asked>& asked = asked_[static_cast<std::size_t>(slave)];
    const auto forMaster = std::count(asked.begin(), asked.end(), Asked::ForMaster);
    asked.clear();
    askedForMaster_ -= static_cast<std::size_t>(forMaster);
    if (schedule_.liveCount() == 0) return giveBackAll();
    if (forMaster > 0) answerMaster();
}

void SubMaster::feed() {
    const TimePoint now = connector_.now();
    while (const auto batch = schedule_.next(Schedule::Supply::Complete, now)) send(*batch);
    while (const auto back = schedule_.recall(now)) askSlaves(TaskNotice::GiveBack, back->calls, Asked::ForGroup);
}

void SubMaster::send(const Schedule::Assignment& batch) {
    Mailbox& mailbox = detail::mailboxOf(connector_);
    IntBuffer letter = mailbox.pack(Envelope{JobKind::Request, 0, 0}, [&](IntWriter& out) {
        for (const std::int32_t number : batch.calls) {
            Entry& entry = entries_.at(number);
            entry.slave = batch.slave;
            writeParcel(out, entry.parcel);
            entry.parcel.body = {};
            entry.letter.reset();    // a slave that gives the task back sends its body, and the tasks of a lost slave go to the master
        }
    });
    setReplyWait(letter, schedule_.batchTime());
    mailbox.postInts(rankOf(batch.slave), Channel::Data, std::move(letter));
    for (const std::int32_t number : batch.calls) {
        if (entries_.at(number).tellsBegin) sendNotice(mailbox, rankOf(batch.slave), TaskNotice::TellBegin, {}, number);
    }
}

/// Sends the replies at once when all tasks are answered: the master then waits for nothing else. Otherwise sends them when they are due.
void SubMaster::sendRepliesIfDue() {
    if (entries_.empty()) {
        replies_.send();
    } else {
        replies_.sendIfDue(connector_.now(), replyWait_);
    }
}

}    // namespace ferry::detail
