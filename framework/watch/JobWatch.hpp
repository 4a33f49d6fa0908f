#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include <ferry/connector/transport/LossSource.hpp>
#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#include <ferry/framework/watch/Watch.hpp>
#include <ferry/framework/watch/WatchSettings.hpp>
#include <ferry/framework/watch/Watcher.hpp>

namespace ferry::detail {

/// The watch over the ranks of a job that survives losses. The master holds a Watcher, each slave a Watch.
///
/// Threads: the rank's. Errors: std::system_error where the system gives no connections.
class JobWatch {
public:
    /// Whether this job is to survive the loss of slaves: its launcher lets the other ranks live (FERRY_SURVIVES_DEATHS=1, or the settings
    /// of mpirun). Logs a warning when the MPI library cannot survive the loss.
    static bool isWanted();

    /// Begins the watch; all ranks call it together, when only MPI is ready. Null on all ranks when the master does not want a watch.
    /// A loss before endStart() calls ends.onEarlyLoss. A rank that the others have given up calls ends.onGivenUp. Both end the process and
    /// must not return.
    static std::unique_ptr<JobWatch> begin(const MpiEnvironment& mpi, const WatchSettings& settings, Watch::Ends ends);

    /// Begins the watch of a slave that joins a running job. address: the text of address() on the master.
    static std::unique_ptr<JobWatch> join(const std::string& address, int rank, const WatchSettings& settings, Watch::Ends ends);

    // On the master, for slaves that join: Watcher::expect() and expectNoMore(), and the address that they need.
    void expect(int count) { watcher_->expect(count); }
    void expectNoMore(int count) { watcher_->expectNoMore(count); }
    std::string address() const { return watcher_->address().text(); }

    /// On a slave: the job is to end with this status (Watch::sayExit).
    void sayExit(int status) noexcept {
        if (watch_) watch_->sayExit(status);
    }

    /// On the master: gives up a slave that lives (Watcher::giveUp).
    void giveUp(const Loss& loss) { watcher_->giveUp(loss); }

    LossSource& losses() noexcept { return watcher_ ? watcher_->losses() : watch_->losses(); }

    /// From now on the job goes on when its master is lost: the lowest rank that lives watches the others.
    void letSucceed() noexcept {
        if (watch_) watch_->letSucceed();
    }

    /// Ends the start: all ranks are connected. From now on a loss is told by losses() only.
    void endStart();
    /// Ends the watch when the job is over for this rank: later disconnections are no losses. The rank that watches waits
    /// for the goodbyes of the others, for `limit` at most.
    void end(std::chrono::milliseconds limit);
    /// Does only the first part of end(): says goodbye.
    void sayGoodbye() noexcept;

private:
    std::unique_ptr<Watcher> watcher_;    ///< null on slaves
    std::unique_ptr<Watch> watch_;        ///< null on the master
};

}    // namespace ferry::detail
