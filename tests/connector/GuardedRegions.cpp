// The campaign of guarded regions on threads: ferryGuardedRegions RANKS REGIONS SEED. A new connection for each 500 regions, each with a
// seed of its own, counted up from the one given. A hang is ended by the time-out of the test entry.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/exception/Report.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/tests/connector/GuardedCampaign.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

constexpr int RegionsPerConnection = 500;

int rankCount = 0;
int regionCount = 0;
std::uint64_t firstSeed = 0;

void runRank(std::unique_ptr<Transport> transport, std::uint64_t seed, int regions) {
    setRankOfThisThread(transport->rank());
    try {
        Connector connector(std::move(transport));
        runGuardedCampaign(connector, seed, regions);
        connector.close();
    } catch (...) {
        FAIL_CHECK("seed ", seed, ", rank ", rankOfThisThread(), ": ", report(std::current_exception()));
    }
}

}    // namespace

TEST_CASE("guarded: regions by the thousand, with random failures") {
    std::uint64_t seed = firstSeed;
    for (int done = 0; done < regionCount; done += RegionsPerConnection) {
        const int regions = std::min(RegionsPerConnection, regionCount - done);
        std::vector<std::thread> threads;
        for (auto& transport : threadTransports(rankCount)) {
            threads.emplace_back([seed, regions, own = std::move(transport)]() mutable { runRank(std::move(own), seed, regions); });
        }
        for (std::thread& thread : threads) thread.join();
        ++seed;
    }
}

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: %s RANKS REGIONS SEED\n", argv[0]);
        return 2;
    }
    rankCount = std::atoi(argv[1]);
    regionCount = std::atoi(argv[2]);
    firstSeed = std::strtoull(argv[3], nullptr, 10);
    return doctest::Context().run();
}
