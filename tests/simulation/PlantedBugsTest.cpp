#include <ferry/tests/simulation/PlantedBugs.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/simulate.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/tests/connector/TestMessages.hpp>
#include <ferry/tests/simulation/ConnectorExercise.hpp>
#include <ferry/tests/simulation/GuardedExercise.hpp>
#include <ferry/tests/simulation/JobExercise.hpp>
#include <ferry/tests/simulation/LossExercise.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

using namespace ferry;
using namespace ferry::test;

namespace plantedbugstest {

constexpr std::uint64_t seedsForEachBug = 10'000;

/// Every second rank sends to the previous rank, and leaves without a wait for the receiver.
void sendAndGo(Connector& c) {
    constexpr int count = 3;
    if (c.rank() % 2 == 1) {
        for (int i = 0; i < count; ++i) c.send(c.rank() - 1, Ping(i));
    } else if (c.rank() + 1 < c.size()) {
        for (int i = 0; i < count; ++i) static_cast<void>(c.receive<Ping>(c.rank() + 1));
    }
}

/// Whether the checks of the guarded exercise fail on this schedule.
bool doChecksOfGuardFail(const SimulationOptions& options) { return !guardedExercise(options).isRight(); }

/// Whether the checks of a job with lost slaves fail on this schedule.
bool doChecksOfLossesFail(const SimulationOptions& options) {
    const int rankCount = rankCountFor(options.seed);
    SimulationOptions lossy = lossOptions(options.seed, rankCount);
    lossy.decorate = options.decorate;
    return !hasEndedWell(lossExercise(rankCount, lossy));
}

/// Whether the checks of any other exercise fail on this schedule.
bool doChecksFail(const SimulationOptions& options) {
    const int rankCount = rankCountFor(options.seed);
    ConnectorExercise exercise(options.seed);
    if (!simulate(rankCount, options, [&exercise](Connector& c) { exercise.run(c); }).haveAllReturned()) return true;
    if (!simulate(rankCount, options, sendAndGo).haveAllReturned()) return true;
    return !simulateJob(rankCount, options, jobExercise()).haveAllReturned();
}

void findEach(const std::vector<PlantedBug>& bugs, bool (*doFail)(const SimulationOptions&)) {
    for (const PlantedBug& bug : bugs) {
        std::uint64_t seed = 0;
        bool isFound = false;
        while (!isFound && seed < seedsForEachBug) {
            SimulationOptions options;
            options.seed = ++seed;
            options.decorate = [&](std::unique_ptr<detail::Transport> transport) { return bug.plant(std::move(transport), seed); };
            isFound = doFail(options);
        }
        CHECK_MESSAGE(isFound, "not found: ", bug.name);
        MESSAGE(bug.name, ": found by seed ", seed);
    }
}

}    // namespace plantedbugstest

using namespace plantedbugstest;

TEST_CASE("Planted bugs: without planted bugs the checks hold") {
    Seeds::forEach(50, [](std::uint64_t seed) {
        SimulationOptions options;
        options.seed = seed;
        REQUIRE_FALSE(doChecksFail(options));
        REQUIRE_FALSE(doChecksOfGuardFail(options));
        REQUIRE_FALSE(doChecksOfLossesFail(options));
    });
}

TEST_CASE("Planted bugs: each of the transport is found within ten thousand schedules") { findEach(plantedBugs(), doChecksFail); }

TEST_CASE("Planted bugs: each of losses is found within ten thousand schedules") { findEach(lossBugs(), doChecksOfLossesFail); }

TEST_CASE("Planted bugs: each of guarded regions is found within ten thousand schedules") { findEach(guardBugs(), doChecksOfGuardFail); }
