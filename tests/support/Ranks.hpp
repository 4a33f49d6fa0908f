#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/framework/master/Master.hpp>
#include <ferry/framework/slave/Slave.hpp>

namespace ferry::test {

/// Runs the function on every rank of a fresh connection. Under mpirun once, on its ranks; else on threads, with 1, 2 and 4 ranks in turn.
/// Rank counts under the minimum are left out. An exception that leaves the function is a failed check.
void onRanks(const std::function<void(Connector&)>& function, int minRanks = 1);

/// The same without the final close(): for connections that end in a failure.
void onRanksThatFail(const std::function<void(Connector&)>& function, int minRanks = 1);

/// The neighbours in a ring of all ranks.
inline int nextRank(const Connector& connector) { return (connector.rank() + 1) % connector.size(); }
inline int previousRank(const Connector& connector) { return (connector.rank() + connector.size() - 1) % connector.size(); }

/// Runs a job of a master and at least one slave, in all the same ways, and passes the exit status of each rank to the check, which runs
/// on that rank. The fresh slave definition is made by define, once for each job.
struct JobRun {
    std::function<void(Slave&)> define;
    std::function<void(Master&)> program;
    std::function<void(int exitStatus)> check;
    int minSlaves = 1;
    int returned = 0;                                                ///< what the program returns on the master
    int groupSize = 0;                                               ///< of sub-masters; 0: there are none
    std::chrono::microseconds quietTime{std::chrono::seconds(1)};    ///< Connector::findDeadlocksAfter
};
/// Without sub-masters, and where there are ranks enough a second time with groups of two.
void onJobRanks(JobRun run);
/// Without them.
void onUngroupedJobRanks(const JobRun& run);
/// The groups of the job whose program runs on this thread, for a master of its own.
const SlaveGroups& groupsOfThisJob();

/// The same for a job that succeeds on every rank.
void runJob(const std::function<void(Slave&)>& define, const std::function<void(Master&)>& program);
void runUngroupedJob(const std::function<void(Slave&)>& define, const std::function<void(Master&)>& program);

/// One rank's part of such a job, from its beginning to its end; its exit status.
int conductJob(Connector& connector, const JobRun& run);

}    // namespace ferry::test
