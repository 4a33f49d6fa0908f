#include <ferry/tests/simulation/PlantedBugs.hpp>

#include <cstdint>
#include <utility>

#include <doctest/doctest.h>

#include <ferry/connector/simulate.hpp>
#include <ferry/framework/ExitStatus.hpp>
#include <ferry/tests/connector/TestMessages.hpp>
#include <ferry/tests/simulation/ConnectorExercise.hpp>
#include <ferry/tests/simulation/JobExercise.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

using namespace ferry;
using namespace ferry::test;

namespace plantedbugstest {

constexpr std::uint64_t seedsForEachBug = 1000;

/// Every rank sends to all others and goes, without waiting for those who take its messages.
void sendAndGo(Connector& c) {
    for (int i = 0; i < 3; ++i) {
        for (int rank = 0; rank < c.size(); ++rank) c.send(rank, Ping(i));
    }
    for (int i = 0; i < 3; ++i) {
        for (int rank = 0; rank < c.size(); ++rank) static_cast<void>(c.receive<Ping>(rank));
    }
}

/// Whether the checks of any of the programs fail on this schedule.
bool doChecksFail(const SimulationOptions& options) {
    const int rankCount = rankCountFor(options.seed);
    ConnectorExercise exercise(options.seed);
    if (!simulate(rankCount, options, [&exercise](Connector& c) { exercise.run(c); }).haveAllReturned()) return true;
    if (!simulate(rankCount, options, sendAndGo).haveAllReturned()) return true;
    return !simulateJob(rankCount, options, jobExercise()).haveAllReturned();
}

}    // namespace plantedbugstest

using namespace plantedbugstest;

TEST_CASE("Planted bugs: without any the checks hold") {
    Seeds::forEach(50, [](std::uint64_t seed) {
        SimulationOptions options;
        options.seed = seed;
        REQUIRE_FALSE(doChecksFail(options));
    });
}

TEST_CASE("Planted bugs: each is found within a thousand schedules") {
    for (const PlantedBug& bug : plantedBugs()) {
        std::uint64_t seed = 0;
        bool isFound = false;
        while (!isFound && seed < seedsForEachBug) {
            SimulationOptions options;
            options.seed = ++seed;
            options.decorate = [&](std::unique_ptr<Transport> transport) { return bug.plant(std::move(transport), seed); };
            isFound = doChecksFail(options);
        }
        CHECK_MESSAGE(isFound, "not found: ", bug.name);
        MESSAGE(bug.name, ": found by seed ", seed);
    }
}
