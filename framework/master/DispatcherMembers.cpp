// Slaves that join and leave a running job.
#include <ferry/framework/master/Dispatcher.hpp>

#include <optional>

#include <fmt/format.h>

#include <ferry/framework/exception/SlavesCannotJoin.hpp>
#include <ferry/framework/master/SlaveRecruiter.hpp>
#include <ferry/framework/monitor/JobMonitor.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/schedule/slaveNumbers.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

void requireCount(int count, const char* call) {
    if (count < 0) throw UsageError(fmt::format("{}: expected a number of slaves from 0, found {}", call, count));
}

}    // namespace

void Dispatcher::addSlaves(int count) {
    requireThread();
    requireCount(count, "addSlaves");
    connector_.mailbox().throwIfDue();
    if (count == 0) return;
    if (recruiter_ == nullptr) throw SlavesCannotJoin("this master was made without an Application, which could start them");
    const int firstRank = connector_.size();
    recruiter_->recruit(count);
    schedule_.addSlaves(count);
    sharedObjects_.join(firstRank);
    if (monitor_ != nullptr) monitor_->statistics().joined(count, connector_.now());
    logLine(spdlog::level::info, "{} slaves have joined: there are {} now", count, slaveCount());
    feed(Schedule::Supply::Complete);
}

int Dispatcher::dismissSlaves(int count) {
    requireCount(count, "dismissSlaves");
    poll();
    const OneThread::Call oneThread(connector_.mailbox().thread());
    int dismissed = 0;
    while (dismissed < count && (calls_.empty() || slaveCount() > 1)) {
        const std::optional<int> slave = schedule_.dismissIdle();
        if (!slave) break;
        dismiss(*slave);
        ++dismissed;
    }
    return dismissed;
}

void Dispatcher::dismiss(int slave) {
    const int rank = rankOfSlave(slave);
    sharedObjects_.dismiss(rank);
    if (monitor_ != nullptr) {
        monitor_->collectTraceOf(connector_, rank);
        monitor_->statistics().dismissed(slave, connector_.now());
    }
    notify(rank, TaskNotice::Leave, {});
    logLine(spdlog::level::info, "rank {} has nothing to do, and leaves", rank);
}

}    // namespace ferry
