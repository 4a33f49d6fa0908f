#include <ferry/tests/support/Ranks.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <thread>
#include <utility>

#include <doctest/doctest.h>
#ifdef FERRY_TESTS_WITH_MPI
#include <mpi.h>
#endif

#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#ifdef FERRY_TESTS_WITH_MPI
#include <ferry/connector/transport/mpi/MpiTransport.hpp>
#endif
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/ending/Shutdown.hpp>
#include <ferry/framework/master/BesideJob.hpp>
#include <ferry/framework/schedule/SlaveGroups.hpp>
#include <ferry/framework/slave/SlaveLoop.hpp>
#include <ferry/framework/slave/SubMaster.hpp>
#include <ferry/serialization/exception/Origin.hpp>

namespace ferry::test {

namespace {

thread_local detail::SlaveGroups groupsOfJob;

/// Makes the connector of one rank and runs the function. An exception of the function becomes a failed check.
void runRank(std::unique_ptr<detail::Transport> transport, const std::function<void(Connector&)>& function, bool closes) {
    detail::setRankOfThisThread(transport->rank());
    try {
        Connector connector(std::move(transport));
        function(connector);
        if (closes) connector.close();
    } catch (...) {
        FAIL_CHECK("rank ", detail::rankOfThisThread(), ": ", report(std::current_exception()));
    }
}

void runEverywhere(const std::function<void(Connector&)>& function, int minRanks, bool closes) {
#ifdef FERRY_TESTS_WITH_MPI
    if (detail::MpiEnvironment::isPresent()) {
        auto transport = mpiTransport(MPI_COMM_WORLD);
        if (transport->size() < minRanks) return;
        runRank(std::move(transport), function, closes);
        return;
    }
#endif
    for (const int rankCount : {1, 2, 4}) {
        if (rankCount < minRanks) continue;
        INFO("threads, ranks: ", rankCount);
        std::vector<std::thread> threads;
        for (auto& transport : detail::threadTransports(rankCount))
            threads.emplace_back([&function, closes, own = std::move(transport)]() mutable { runRank(std::move(own), function, closes); });
        for (std::thread& thread : threads) thread.join();
    }
}

void runOnRanks(const JobRun& run, int minRanks) {
    INFO("slaves of a sub-master: ", run.groupSize);
    onRanksThatFail([&run](Connector& connector) { run.check(conductJob(connector, run)); }, minRanks);
}

void expectSuccess(int status) { CHECK(status == exitStatus::success); }

}    // namespace

void onRanks(const std::function<void(Connector&)>& function, int minRanks) { runEverywhere(function, minRanks, true); }

void onRanksThatFail(const std::function<void(Connector&)>& function, int minRanks) { runEverywhere(function, minRanks, false); }

void onJobRanks(JobRun run) {
    onUngroupedJobRanks(run);
    run.groupSize = detail::SlaveGroups::leastSize;
    runOnRanks(run, std::max(1 + run.minSlaves, 2 + detail::SlaveGroups::leastSize));
}

void onUngroupedJobRanks(const JobRun& run) { runOnRanks(run, 1 + run.minSlaves); }

const detail::SlaveGroups& groupsOfThisJob() { return groupsOfJob; }

void runJob(const std::function<void(Slave&)>& define, const std::function<void(Master&)>& program) {
    onJobRanks({define, program, expectSuccess});
}

void runUngroupedJob(const std::function<void(Slave&)>& define, const std::function<void(Master&)>& program) {
    onUngroupedJobRanks({define, program, expectSuccess});
}

int conductJob(Connector& connector, const JobRun& run) {
    Slave slave;
    run.define(slave);
    if (!detail::mailboxOf(connector).transport().hasVirtualTime()) connector.findDeadlocksAfter(run.quietTime);
    detail::Shutdown shutdown(connector);
    return shutdown.conduct(detail::Shutdown::End::WithMaster, [&]() -> int {
        const detail::SlaveGroups groups =
            run.groupSize == 0 ? detail::SlaveGroups() : detail::SlaveGroups(connector.size() - 1, run.groupSize);
        if (groups.isSubMaster(connector.rank())) detail::SubMaster(connector, groups).run();
        if (!connector.isMaster()) {
            detail::SlaveLoop(slave, connector, groups.masterOf(connector.rank())).run();
            return exitStatus::success;
        }
        groupsOfJob = groups;
        Master master(connector, detail::BesideJob{.groups = groups});
        run.program(master);
        return run.returned;
    });
}

}    // namespace ferry::test
