#include <ferry/tests/simulation/LossExercise.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

#include <doctest/doctest.h>

#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/tests/simulation/JobExercise.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

using namespace ferry;
using namespace ferry::test;

namespace lossexercisetest {

using namespace std::chrono_literals;

const std::chrono::microseconds soon = 10ms;

SimulationOptions watched(std::uint64_t seed) {
    SimulationOptions options;
    options.seed = seed;
    options.tellsDeathsWithin = soon;
    return options;
}

}    // namespace lossexercisetest

using namespace lossexercisetest;

TEST_CASE("Losses under simulation: every reply of the loss exercise comes once, whoever is lost") {
    Seeds::forEach(1500, [](std::uint64_t seed) {
        const int rankCount = rankCountFor(seed);
        const auto result = lossExercise(rankCount, lossOptions(seed, rankCount));
        REQUIRE_MESSAGE(hasEndedWell(result), result.describe(), " ", result.stuckText);
    });
}

TEST_CASE("Losses under simulation: a slave behind a lost one gets two objects of one type, the second of which replaced the first early") {
    constexpr std::uint64_t seed = 5897;    // two slaves waited for ever for the first object
    const int rankCount = rankCountFor(seed);
    const auto result = lossExercise(rankCount, lossOptions(seed, rankCount));
    REQUIRE_MESSAGE(hasEndedWell(result), result.describe(), " ", result.stuckText);
}

TEST_CASE("Losses under simulation: every reply of the loss exercise comes once, whichever sub-masters and slaves of groups are lost") {
    Seeds::forEach(1500, [](std::uint64_t seed) {
        const int rankCount = 4 + static_cast<int>(seed % 7);
        const int groupSize = 2 + static_cast<int>(seed / 7 % 3);
        const auto result = lossExercise(rankCount, lossOptions(seed, rankCount), groupSize);
        REQUIRE_MESSAGE(hasEndedWell(result, groupSize), result.describe(), " ", result.stuckText);
    });
}

TEST_CASE("Losses under simulation: every reply of the loss exercise comes once, also where bundles of tasks are lost with wide groups") {
    Seeds::forEach(600, [](std::uint64_t seed) {
        const int rankCount = 10 + static_cast<int>(seed % 9);
        const int groupSize = 4 + static_cast<int>(seed / 9 % 5);
        const auto result = lossExercise(rankCount, lossOptions(seed, rankCount), groupSize);
        REQUIRE_MESSAGE(hasEndedWell(result, groupSize), result.describe(), " ", result.stuckText);
    });
}

TEST_CASE("Losses under simulation: the same seed has the same trace, byte for byte") {
    Seeds::forEach(20, [](std::uint64_t seed) {
        const int rankCount = rankCountFor(seed);
        const auto first = lossExercise(rankCount, lossOptions(seed, rankCount));
        const auto second = lossExercise(rankCount, lossOptions(seed, rankCount));
        REQUIRE(first.trace.text() == second.trace.text());
    });
}

TEST_CASE("Losses under simulation: when the master is lost, its slaves end with the status of a lost rank") {
    int lostCount = 0;
    Seeds::forEach(100, [&lostCount](std::uint64_t seed) {
        SimulationOptions options = watched(seed);
        options.faults.push_back({0, 1 + seed % 100, Fault::Kind::Kill});
        const auto result = simulateJob(4, options, jobExercise());
        REQUIRE_MESSAGE(result.stuckText.empty(), result.describe(), " ", result.stuckText);
        if (result.ranks[0].how != detail::RankEnd::Killed) return;
        for (std::size_t rank = 1; rank < 4; ++rank) {
            REQUIRE_MESSAGE(result.ranks[rank].how == detail::RankEnd::Returned, result.describe());
            const bool isRight = result.values[rank] == exitStatus::lostRank || result.values[rank] == exitStatus::success;
            REQUIRE_MESSAGE(isRight, result.describe());
            lostCount += result.values[rank] == exitStatus::lostRank ? 1 : 0;
        }
    });
    if (Seeds::areMany()) CHECK(lostCount > 0);
}

TEST_CASE("Losses under simulation: a slave that is lost while the job stops is not waited for") {
    Seeds::forEach(20, [](std::uint64_t seed) {
        SimulationOptions options = watched(seed);
        options.faults.push_back({1 + static_cast<int>(seed % 3), 1 + seed % 40, Fault::Kind::Kill});
        const auto result = simulateJob(4, options, jobThatFails());
        REQUIRE_MESSAGE(result.stuckText.empty(), result.describe());
        REQUIRE_FALSE(result.abortStatus);
        REQUIRE(result.values[0] == exitStatus::assertion);
        REQUIRE(result.time < 10s);
    });
}
