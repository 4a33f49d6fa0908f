#include <ferry/connector/simulate.hpp>

#include <cstdint>
#include <exception>

#include <doctest/doctest.h>

#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/transport/simulation/SimulatedDeadlock.hpp>
#include <ferry/connector/transport/simulation/SimulatedFault.hpp>
#include <ferry/tests/simulation/ConnectorExercise.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

SimulationResult exerciseWith(const SimulationOptions& options, ConnectorExercise::Waits waits) {
    ConnectorExercise exercise(options.seed, waits);
    return simulate(rankCountFor(options.seed), options, [&exercise](Connector& connector) { exercise.run(connector); });
}

SimulationResult exerciseWithFault(std::uint64_t seed, Fault::Kind kind, ConnectorExercise::Waits waits) {
    SimulationOptions options;
    options.seed = seed;
    options.faults = {faultFromSeed(seed, rankCountFor(seed), 200)};
    options.faults.front().kind = kind;
    return exerciseWith(options, waits);
}

}    // namespace

TEST_CASE("Connector under simulation: the exercise succeeds on every schedule") {
    Seeds::forEach(1500, [](std::uint64_t seed) {
        SimulationOptions options;
        options.seed = seed;
        const SimulationResult result = exerciseWith(options, ConnectorExercise::Waits::ForAnyRankToo);
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
    });
}

TEST_CASE("Connector under simulation: the exercise from the same seed has the same trace, byte for byte") {
    Seeds::forEach(100, [](std::uint64_t seed) {
        for (const bool hasFault : {false, true}) {
            SimulationOptions options;
            options.seed = seed;
            if (hasFault) options.faults = {faultFromSeed(seed, rankCountFor(seed), 200)};
            const SimulationResult first = exerciseWith(options, ConnectorExercise::Waits::ForAnyRankToo);
            const SimulationResult second = exerciseWith(options, ConnectorExercise::Waits::ForAnyRankToo);
            REQUIRE(first.trace.size() >= 10);    // an early fault leaves little
            REQUIRE(first.trace.text() == second.trace.text());
            REQUIRE(first.describe() == second.describe());
        }
    });
}

TEST_CASE("Connector under simulation: when a rank leaves or fails in the exercise, nobody waits for ever") {
    Seeds::forEach(500, [](std::uint64_t seed) {
        const Fault::Kind kind = seed % 2 == 0 ? Fault::Kind::Leave : Fault::Kind::Throw;
        const SimulationResult result = exerciseWithFault(seed, kind, ConnectorExercise::Waits::ForOneRank);
        REQUIRE_MESSAGE(result.stuckText.empty(), result.describe());
        for (const detail::Simulation::Ending& ending : result.ranks) {
            if (ending.how != detail::RankEnd::Threw) continue;
            const detail::Thrown thrown(ending.exception);
            const bool isExpected = thrown.as<RankHasLeft>() != nullptr || thrown.as<SimulatedFault>() != nullptr;
            REQUIRE_MESSAGE(isExpected, result.describe());
        }
    });
}

TEST_CASE("Connector under simulation: when a rank is killed in the exercise, those who wait for it are named and nothing hangs") {
    int stuckCount = 0;
    Seeds::forEach(500, [&stuckCount](std::uint64_t seed) {
        const SimulationResult result = exerciseWithFault(seed, Fault::Kind::Kill, ConnectorExercise::Waits::ForOneRank);
        if (result.stuckText.empty()) return;
        ++stuckCount;
        REQUIRE_MESSAGE(result.stuckText.find("was killed") != std::string::npos, result.describe());
        for (const detail::Simulation::Ending& ending : result.ranks) {
            if (ending.how != detail::RankEnd::Threw) continue;
            const detail::Thrown thrown(ending.exception);
            const bool isExpected = thrown.as<SimulatedDeadlock>() != nullptr || thrown.as<RankHasLeft>() != nullptr;
            REQUIRE_MESSAGE(isExpected, result.describe());
        }
    });
    if (Seeds::areMany()) CHECK(stuckCount > 0);
}
