// The dispatcher's handling of lost slaves.
#include <ferry/framework/master/Dispatcher.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <ferry/framework/exception/NoSlavesLeft.hpp>
#include <ferry/framework/exception/PoisonTask.hpp>
#include <ferry/framework/monitor/JobMonitor.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/schedule/slaveNumbers.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

void Dispatcher::requireSlaves() const {
    if (schedule_.liveCount() > 0) return;
    if (schedule_.slaveCount() == 0) throw UsageError("there is no slave to do the task");
    if (lastLoss_.rank < 0) throw UsageError("there is no slave to do the task: all have been dismissed (Master::dismissSlaves)");
    throw NoSlavesLeft(doerCount(), lastLoss_.text());
}

void Dispatcher::takeInLosses() {
    while (const auto loss = connector_.mailbox().departures().takeLoss()) {
        try {
            takeInLoss(*loss);
        } catch (const std::bad_alloc&) {
            failJob(std::current_exception());    // the tasks of the lost slave are not known any more
        }
    }
}

void Dispatcher::takeInLoss(const Loss& loss) {
    if (loss.rank < 1 || !schedule_.isThere(slaveOfRank(loss.rank))) return;
    lastLoss_ = loss;
    const std::vector<Schedule::Orphan> orphans = schedule_.lose(slaveOfRank(loss.rank));
    std::size_t givenOut = 0;
    for (const Schedule::Orphan& orphan : orphans) givenOut += takeFromLost(loss.rank, orphan) ? 1 : 0;
    if (monitor_ != nullptr) monitor_->statistics().lost(slaveOfRank(loss.rank), loss.reason, orphans.size(), connector_.now());
    sharedObjects_.lose(loss.rank);
    if (!groups_.isEmpty()) noteGroupLoss(loss.rank);
    if (schedule_.liveCount() == 0) return failAll();
    const bool hasSubMaster = groups_.masterOf(loss.rank) != 0 && schedule_.isThere(slaveOfRank(groups_.masterOf(loss.rank)));
    logLine(spdlog::level::warn, "{}: the job goes on without it, {} go to others", loss.text(),
            hasSubMaster ? std::string("its tasks") : fmt::format("{} of its tasks", givenOut));
}

/// Puts the call of a lost slave back into the queue. False: the call has ended instead.
bool Dispatcher::takeFromLost(int rank, const Schedule::Orphan& orphan) {
    const std::shared_ptr<Call> call = calls_.at(orphan.call);
    call->place = Call::Place::Waiting;
    call->facts.isSuspect = call->facts.isSuspect || orphan.mayHaveRun;
    if (call->isOverdue) {
        noteOverdue(*call);
    } else if (call->isCancelled) {
        cancelCall(*call);
    } else if (orphan.mayHaveRun) {
        call->lostRanks.push_back(rank);
        if (static_cast<int>(call->lostRanks.size()) >= call->slavesAtMost)
            stop(*call, std::make_exception_ptr(PoisonTask(call->number, call->lostRanks)));
    }
    return !call->isDone;
}

std::exception_ptr Dispatcher::noSlavesLeft() const { return std::make_exception_ptr(NoSlavesLeft(doerCount(), lastLoss_.text())); }

/// Fails the open calls when no slave is left. Calls at a sub-master that has lost its group are given back first, and fail then.
void Dispatcher::failAll() {
    const std::exception_ptr reason = noSlavesLeft();
    std::vector<std::shared_ptr<Call>> open;
    for (const auto& [number, call] : calls_) {
        if (call->place != Call::Place::AtSlave) open.push_back(call);
    }
    std::sort(open.begin(), open.end(), [](const auto& left, const auto& right) { return left->number < right->number; });
    logLine(spdlog::level::err, "{}: no slave is left, {} tasks are not done", lastLoss_.text(), open.size());
    for (const std::shared_ptr<Call>& call : open) {
        call->isLookedAt = true;    // the line above reports the failure
        stop(*call, reason);
    }
}

}    // namespace ferry
