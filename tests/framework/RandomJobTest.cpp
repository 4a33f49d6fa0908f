// Jobs of random steps, on threads and under mpirun. The simulation runs the same jobs on many schedules.
#include <ferry/tests/framework/RandomJob.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

constexpr std::size_t largeArray = 100'000;    // numbers of a message that MPI does not buffer

}    // namespace

TEST_CASE("RandomJob: handlers and master talk in random ways") {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        runJob(RandomJob::define, [seed](Master& master) { RandomJob{seed, 100, largeArray}.talk(master); });
    }
}

TEST_CASE("RandomJob: kept results, teams, failures and cancellations in random order") {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        runUngroupedJob(RandomJob::define, [seed](Master& master) { RandomJob{seed, 100, largeArray}.mix(master); });
    }
}
