// The end of a job after the loss of ranks, and after failures that belong to no task.
#include <ferry/framework/Shutdown.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/framework/EndMarker.hpp>
#include <ferry/framework/ExitStatus.hpp>
#include <ferry/framework/JobReport.hpp>
#include <ferry/framework/Log.hpp>
#include <ferry/framework/LostRank.hpp>
#include <ferry/framework/Signals.hpp>

namespace ferry {

void Shutdown::stopJob(const std::exception_ptr& failure) {
    const Terminated stopped(Thrown(failure).text(), exitStatusOf(failure));
    connector_.mailbox().stop(std::make_exception_ptr(stopped));    // the first reason stays
    addFailure(failure);
}

void Shutdown::checkLosses() {
    while (const std::optional<Loss> loss = connector_.mailbox().transport().nextLoss()) noteLoss(*loss);
}

void Shutdown::noteLoss(const Loss& loss) {
    if (phase_ == Phase::Over || connector_.mailbox().isLost(loss.rank)) return;
    connector_.mailbox().lose(loss);
    if (connector_.isMaster()) {
        noteLostSlave(loss);
    } else if (loss.rank == 0) {
        noteLostMaster(loss);
    }
}

/// On the master. Whoever waits for the slave's letters, or sends to it, must know.
void Shutdown::noteLostSlave(const Loss& loss) {
    if (!firstLoss_) firstLoss_ = loss;
    for (int rank = 1; rank < firstSize_ && loss.rank < firstSize_; ++rank)
        connector_.mailbox().post(rank, Channel::Control, Envelope{MessageKind::Lost, 0, loss.rank},
                                  [&](IntWriter& out) { out << loss.reason; });
    const bool isMissed = isNeeded(loss.rank);
    std::optional<int>& status = statuses_[static_cast<std::size_t>(loss.rank)];
    if (!status) {
        status = exitStatus::success;
        ++leftCount_;
    }
    if (isMissed) addFailure(std::make_exception_ptr(LostRank(loss)));
}

/// Whether the job cannot be done without the rank: where every rank has a part, until its own has ended.
bool Shutdown::isNeeded(int rank) const {
    return hasRun_ && end_ == End::WithAll && phase_ != Phase::Over && !statuses_[static_cast<std::size_t>(rank)];
}

/// On a slave: nobody hears of it any more. It unwinds, and ends.
void Shutdown::noteLostMaster(const Loss& loss) {
    exitStatus_ = exitStatus::lostRank;
    isReleased_ = true;
    Signals::settle();
    const std::string reason = fmt::format("the master is lost: {}", loss.text());
    logLine(spdlog::level::err, "{}", reason);
    connector_.mailbox().stop(std::make_exception_ptr(Terminated(reason, exitStatus::lostRank)));
    if (connector_.mailbox().transport().hasVirtualTime()) return;
    EndMarker::noteMasterLost(EndMarker::pathFromEnvironment());
    if (phase_ != Phase::Running) return;
    watchdog_.arm(settings_.grace, [report = JobReport(exitStatus::lostRank, {}, reason)] { endFromOutside(report, {}); });
}

}    // namespace ferry
