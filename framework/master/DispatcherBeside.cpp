// What the dispatcher does with what stands beside the job, and how busy it is itself.
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

/// A failure of the journal belongs to the job and to no task. It is reported once, and stops the job.
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

/// What is due now: also to write what has come into the journal.
void Dispatcher::attendBeside(Call::TimePoint now) {
    if (journal_ != nullptr) useJournal([&] { journal_->write(now); });
    if (monitor_ != nullptr) monitor_->show(now);
}

/// When attendBeside() has something to do, if nothing comes.
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

/// A handler of this slave has submitted a task, which would not come if that of the handler were not done in the next run. Which one it
/// is of those that the slave has is not known.
void Dispatcher::leaveOutOfJournal(int slaveRank) {
    if (journal_ == nullptr || slaveRank < 1) return;
    for (const std::int32_t number : schedule_.callsAt(slaveRank - 1)) calls_.at(number)->journalKey.reset();
}

/// True: an earlier run has done the task, and the call is done.
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
