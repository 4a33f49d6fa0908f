#include <ferry/tests/support/Ranks.hpp>

#include <exception>
#include <memory>
#include <thread>
#include <utility>

#include <doctest/doctest.h>
#include <mpi.h>

#include <ferry/connector/exception/Report.hpp>
#include <ferry/connector/transport/MpiEnvironment.hpp>
#include <ferry/connector/transport/MpiTransport.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/framework/ExitStatus.hpp>
#include <ferry/framework/Shutdown.hpp>
#include <ferry/framework/SlaveLoop.hpp>
#include <ferry/serialization/exception/Origin.hpp>

namespace ferry::test {

namespace {

/// Makes the connector of one rank, runs the function, and turns what leaves it into a failed check.
void runRank(std::unique_ptr<Transport> transport, const std::function<void(Connector&)>& function, bool closes) {
    setRankOfThisThread(transport->rank());
    try {
        Connector connector(std::move(transport));
        function(connector);
        if (closes) connector.close();
    } catch (...) {
        FAIL_CHECK("rank ", rankOfThisThread(), ": ", report(std::current_exception()));
    }
}

void runEverywhere(const std::function<void(Connector&)>& function, int minRanks, bool closes) {
    if (MpiEnvironment::isPresent()) {
        auto transport = mpiTransport(MPI_COMM_WORLD);
        if (transport->size() < minRanks) return;
        runRank(std::move(transport), function, closes);
        return;
    }
    for (const int rankCount : {1, 2, 4}) {
        if (rankCount < minRanks) continue;
        INFO("threads, ranks: ", rankCount);
        std::vector<std::thread> threads;
        for (auto& transport : threadTransports(rankCount))
            threads.emplace_back([&function, closes, own = std::move(transport)]() mutable { runRank(std::move(own), function, closes); });
        for (std::thread& thread : threads) thread.join();
    }
}

}    // namespace

void onRanks(const std::function<void(Connector&)>& function, int minRanks) { runEverywhere(function, minRanks, true); }

void onRanksThatFail(const std::function<void(Connector&)>& function, int minRanks) { runEverywhere(function, minRanks, false); }

void onJobRanks(const JobRun& run) {
    onRanksThatFail([&run](Connector& connector) { run.check(conductJob(connector, run)); }, 1 + run.minSlaves);
}

void runJob(const std::function<void(Slave&)>& define, const std::function<void(Master&)>& program) {
    onJobRanks({define, program, [](int status) { CHECK(status == exitStatus::success); }});
}

int conductJob(Connector& connector, const JobRun& run) {
    Slave slave;
    run.define(slave);
    Shutdown shutdown(connector);
    return shutdown.conduct(Shutdown::End::WithMaster, [&]() -> int {
        if (!connector.isMaster()) {
            SlaveLoop(slave, connector).run();
            return exitStatus::success;
        }
        Master master(connector);
        run.program(master);
        return run.returned;
    });
}

}    // namespace ferry::test
