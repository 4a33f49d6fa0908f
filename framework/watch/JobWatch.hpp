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

namespace ferry {

/// The watch over the ranks of a job that survives losses: on the master the watcher, on a slave its end of it.
///
/// Threads: the rank's. Errors: std::system_error where there are no connections to be had.
class JobWatch {
public:
    /// Whether this job is to survive the loss of slaves: its launcher lets the others live (FERRY_SURVIVES_DEATHS=1, or what mpirun has
    /// set).
    /// Says in the log when the MPI library does not.
    static bool isWanted();

    /// All ranks call it together, when nothing but MPI is there; null on all of them when it is not wanted on the master. A loss before
    /// endStart() ends the process by onEarlyLoss, and onGivenUp one that the others have given up; neither may return.
    static std::unique_ptr<JobWatch> begin(const MpiEnvironment& mpi, const WatchSettings& settings, Watch::Ends ends);

    /// On a slave that joins while the job runs; the address is what the master has said.
    static std::unique_ptr<JobWatch> join(const std::string& address, int rank, const WatchSettings& settings, Watch::Ends ends);

    // On the master, of slaves that join: Watcher::expect() and expectNoMore(), and the address for them.
    void expect(int count) { watcher_->expect(count); }
    void expectNoMore(int count) { watcher_->expectNoMore(count); }
    std::string address() const { return watcher_->address().text(); }

    LossSource& losses() noexcept { return watcher_ ? watcher_->losses() : watch_->losses(); }

    /// All ranks are there: from now on a loss ends nothing by itself.
    void endStart();
    /// The job is over for this rank: from now on nothing is a loss. On the master it waits for the others to say the same, for so long at
    /// most.
    void end(std::chrono::milliseconds limit);
    /// The first part of end().
    void sayGoodbye() noexcept;

private:
    std::unique_ptr<Watcher> watcher_;    ///< null on slaves
    std::unique_ptr<Watch> watch_;        ///< null on the master
};

}    // namespace ferry
