// The dispatcher's calls of the journal and the monitor, and the measurement of its own load.
#include <ferry/framework/master/Dispatcher.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/journal/Journal.hpp>
#include <ferry/framework/monitor/JobMonitor.hpp>

namespace ferry {

void Dispatcher::announce(std::ptrdiff_t taskCount) {
    if (monitor_ != nullptr) monitor_->statistics().announced(taskCount);
}

/// Calls the journal. A failure of the journal belongs to the job, not to a task. It is reported once, and it stops the job.
template <class Use>
void Dispatcher::useJournal(Use use) {
    if (hasJournalFailed_) throw Terminated("its journal has failed", exitStatus::exception);
    try {
        use();
    } catch (const Exception&) {
        hasJournalFailed_ = true;
        if (stopJob_) stopJob_(std::current_exception());
        throw;
    }
}

/// Does the work that is due at `now`: writes new entries to the journal and shows the monitor's lines.
void Dispatcher::attendBeside(Call::TimePoint now) {
    if (journal_ != nullptr) useJournal([&] { journal_->write(now); });
    if (monitor_ != nullptr) monitor_->show(now);
}

/// The time at which attendBeside() has work to do if no letter comes.
Call::TimePoint Dispatcher::nextBeside() const {
    const auto nextFlush = journal_ != nullptr ? journal_->nextFlush() : Call::TimePoint::max();
    return monitor_ != nullptr ? std::min(nextFlush, monitor_->nextShow()) : nextFlush;
}

void Dispatcher::noteWait(Call::TimePoint begin) {
    const auto end = connector_.now();
    pace_.waited(end - begin);
    if (monitor_ != nullptr && monitor_->trace().isOn()) monitor_->trace().add({TraceEvent::Kind::Wait, 0, 0, begin, end});
}

void Dispatcher::findPace(Call::TimePoint now) {
    if (pace_.isDue(now)) schedule_.setBatchTime(pace_.decide(now, schedule_.isAnyIdle()));
}

/// Removes the journal keys of all calls that the slave has. One of their handlers has submitted a task.
/// A later run would not get that submission if it took the handler's task from the journal.
/// The dispatcher does not know which of the slave's calls submitted the task.
void Dispatcher::leaveOutOfJournal(int slaveRank) {
    if (journal_ == nullptr || slaveRank < 1) return;
    for (const std::int32_t number : schedule_.callsAt(slaveRank - 1)) calls_.at(number)->journalKey.reset();
}

/// Takes the reply of a call from the journal. True: an earlier run has done the task, and the call is done.
bool Dispatcher::takeFromJournal(Call& call, const Parcel& task) {
    if (journal_ == nullptr) return false;
    call.journalKey = journal_->keyOf(task.key, task.body);
    std::optional<Journal::Reply> reply;
    useJournal([&] { reply = journal_->take(*call.journalKey); });
    if (!reply) return false;
    call.request = IntBuffer();
    call.answeringRank = connector_.rank();
    call.letter = std::make_shared<const Letter>(Letter{connector_.rank(), Envelope{MessageKind::Response}, std::move(reply->ints)});
    call.reply = {reply->replyClass, call.number, 0, call.letter->body()};
    if (monitor_ != nullptr) {
        monitor_->statistics().ended(false);
        monitor_->statistics().foundInJournal();
    }
    complete(call);
    return true;
}

}    // namespace ferry
