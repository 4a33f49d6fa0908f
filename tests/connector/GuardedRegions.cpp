// The campaign of guarded regions. Without mpirun: ferryGuardedRegions RANKS REGIONS SEED [REGIONS_PER_RUN], with threads as ranks.
// Under mpirun, the number of ranks is that of mpirun, and there is one run.
// RANKS 0 means 2 to 16 ranks, with another number in each run.
// Each run has its own connection and its own seed; the seeds count up from SEED. The timeout of the test entry ends a hang.
// The last line says how many regions were run, and how often MPI_Abort was called.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <mpi.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#include <ferry/connector/transport/mpi/MpiTransport.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/tests/connector/AbortCount.hpp>
#include <ferry/tests/connector/GuardedCampaign.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

struct Arguments {
    int ranks = 0;
    int regions = 0;
    std::uint64_t seed = 0;
    int regionsPerRun = 500;
};

/// Collects the problems of all ranks of this process.
class Problems {
public:
    void add(std::uint64_t seed, const std::string& text) {
        const std::lock_guard lock(mutex_);
        ++count_;
        std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), text.c_str());
        std::fflush(stdout);
    }
    int count() const noexcept { return count_; }

private:
    std::mutex mutex_;
    int count_ = 0;
};

void runRank(std::unique_ptr<detail::Transport> transport, std::uint64_t seed, int regions, Problems& problems) {
    detail::setRankOfThisThread(transport->rank());
    try {
        Connector connector(std::move(transport));
        for (const std::string& problem : runGuardedCampaign(connector, {.seed = seed, .regions = regions})) problems.add(seed, problem);
        connector.close();
    } catch (...) {
        problems.add(seed, report(std::current_exception()));
    }
}

void runOnThreads(int rankCount, std::uint64_t seed, int regions, Problems& problems) {
    std::vector<std::thread> threads;
    for (auto& transport : detail::threadTransports(rankCount)) {
        threads.emplace_back([&, own = std::move(transport)]() mutable { runRank(std::move(own), seed, regions, problems); });
    }
    for (std::thread& thread : threads) thread.join();
}

int runAllOnThreads(const Arguments& arguments) {
    constexpr std::uint64_t leastRanks = 2;
    constexpr std::uint64_t rankCounts = 15;
    Problems problems;
    int runs = 0;
    for (int done = 0; done < arguments.regions; done += arguments.regionsPerRun) {
        const std::uint64_t seed = arguments.seed + static_cast<std::uint64_t>(runs++);
        const int ranks = arguments.ranks > 0 ? arguments.ranks : static_cast<int>(leastRanks + seed % rankCounts);
        runOnThreads(ranks, seed, std::min(arguments.regionsPerRun, arguments.regions - done), problems);
    }
    std::printf("%d regions in %d runs on threads, %d problems\n", arguments.regions, runs, problems.count());
    return problems.count() == 0 ? 0 : 1;
}

int runUnderMpi(const Arguments& arguments) {
    Problems problems;
    runRank(mpiTransport(MPI_COMM_WORLD), arguments.seed, arguments.regions, problems);
    Connector connector(mpiTransport(MPI_COMM_WORLD));
    const std::vector<int> counts = connector.allReduce(std::vector<int>{abortCount(), problems.count()}, Sum{});
    if (connector.isMaster())
        std::printf("%d regions on %d ranks under mpirun, %d calls of MPI_Abort, %d problems\n", arguments.regions, connector.size(),
                    counts[0], counts[1]);
    connector.close();
    return counts[0] == 0 && counts[1] == 0 ? 0 : 1;
}

}    // namespace

int main(int argc, char** argv) {
    if (argc < 4 || argc > 5) {
        std::fprintf(stderr, "usage: %s RANKS REGIONS SEED [REGIONS_PER_RUN]\n", argv[0]);
        return 2;
    }
    Arguments arguments;
    arguments.ranks = std::atoi(argv[1]);
    arguments.regions = std::atoi(argv[2]);
    arguments.seed = std::strtoull(argv[3], nullptr, 10);
    if (argc == 5) arguments.regionsPerRun = std::max(1, std::atoi(argv[4]));
    if (!detail::MpiEnvironment::isPresent()) return runAllOnThreads(arguments);
    detail::MpiEnvironment environment(argc, argv);
    const int status = runUnderMpi(arguments);
    environment.finalize();
    return status;
}
