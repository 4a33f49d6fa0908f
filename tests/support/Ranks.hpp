#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/framework/master/Master.hpp>
#include <ferry/framework/schedule/SlaveGroups.hpp>
#include <ferry/framework/slave/Slave.hpp>

namespace ferry::test {

/// Runs the function on every rank of a fresh connection. Under mpirun, the function runs once, on the ranks of mpirun.
/// Otherwise the function runs on threads, with 1, 2 and 4 ranks in turn. Rank counts under the minimum are left out.
/// An exception that leaves the function is a failed check.
void onRanks(const std::function<void(Connector&)>& function, int minRanks = 1);

/// Like onRanks() without the final close(), for connections that end in a failure.
void onRanksThatFail(const std::function<void(Connector&)>& function, int minRanks = 1);

/// The neighbours in a ring of all ranks.
inline int nextRank(const Connector& connector) { return (connector.rank() + 1) % connector.size(); }
inline int previousRank(const Connector& connector) { return (connector.rank() + connector.size() - 1) % connector.size(); }

/// A job of a master and at least one slave, for onJobRanks(). The check gets the exit status of each rank, and runs on that rank.
/// define() sets up the fresh slave definition, once for each job.
struct JobRun {
    std::function<void(Slave&)> define;
    std::function<void(Master&)> program;
    std::function<void(int exitStatus)> check;
    int minSlaves = 1;
    int returned = 0;                                                ///< return value of the program on the master
    int groupSize = 0;                                               ///< size of the groups with sub-masters; 0: there are no sub-masters
    std::chrono::microseconds quietTime{std::chrono::seconds(1)};    ///< Connector::findDeadlocksAfter
};
/// Runs the job without sub-masters. With enough ranks, runs it a second time with groups of two.
void onJobRanks(JobRun run);
/// Runs the job without sub-masters.
void onUngroupedJobRanks(const JobRun& run);
/// The groups of the job whose program runs on this thread. A test passes them to a master that it makes itself.
const detail::SlaveGroups& groupsOfThisJob();

/// Runs a job that succeeds on every rank.
void runJob(const std::function<void(Slave&)>& define, const std::function<void(Master&)>& program);
void runUngroupedJob(const std::function<void(Slave&)>& define, const std::function<void(Master&)>& program);

/// Runs one rank's part of such a job from begin to end. Returns its exit status.
int conductJob(Connector& connector, const JobRun& run);

}    // namespace ferry::test
