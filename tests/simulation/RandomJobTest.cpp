// Jobs of random steps, on many schedules.
#include <cstddef>
#include <cstdint>

#include <doctest/doctest.h>

#include <ferry/framework/simulateJob.hpp>
#include <ferry/tests/framework/RandomJob.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

void simulateRandomJob(std::uint64_t seed, void (RandomJob::*program)(Master&) const) {
    constexpr int steps = 20;
    constexpr std::size_t largeCount = 3000;
    Slave slave;
    RandomJob::define(slave);
    SimulationOptions options;
    options.seed = seed;
    const SimulationOf<int> result = simulateJob(rankCountFor(seed), options, slave, [&](Master& master) {
        (RandomJob{seed, steps, largeCount}.*program)(master);
    });
    for (std::size_t rank = 0; rank < result.values.size(); ++rank) CHECK(result.values[rank] == 0);
}

}    // namespace

TEST_CASE("RandomJob exercise: handlers and master talk in random ways, and every schedule ends well") {
    Seeds::forEach(500, [](std::uint64_t seed) { simulateRandomJob(seed, &RandomJob::talk); });
}

TEST_CASE("RandomJob exercise: kept results, teams, failures and cancellations, and every schedule ends well") {
    Seeds::forEach(500, [](std::uint64_t seed) { simulateRandomJob(seed, &RandomJob::mix); });
}
