#include <ferry/tests/framework/survivors/SurvivorSteps.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

using namespace ferry;
using namespace ferry::test;

namespace survivorstest {

using namespace std::chrono_literals;

constexpr int lowestMortal = 0;
constexpr int stepCount = 12;

/// Kills or silences some of the ranks, at calls that the seed decides on.
SimulationOptions withLosses(std::uint64_t seed, int rankCount) {
    constexpr std::uint64_t apartFromTheNetwork = 0x5417;
    SeededRandom random(seed ^ apartFromTheNetwork);
    SimulationOptions options;
    options.seed = seed;
    options.tellsDeathsWithin = std::chrono::microseconds(random.oneIn(2) ? 100'000 : 1000);
    std::vector<int> mortals;
    for (int rank = lowestMortal; rank < rankCount; ++rank) mortals.push_back(rank);
    const std::size_t lostCount = 1 + random.below(mortals.size());
    for (std::size_t i = 0; i < lostCount; ++i) {
        std::swap(mortals[i], mortals[i + random.below(mortals.size() - i)]);
        const Fault::Kind kind = random.oneIn(4) ? Fault::Kind::Silence : Fault::Kind::Kill;
        options.faults.push_back({mortals[i], 1 + random.below(random.oneIn(2) ? 200 : 3000), kind});
    }
    return options;
}

bool haveEndedWell(const SimulationOf<SurvivorHistory>& result) {
    if (!result.stuckText.empty()) return false;
    for (std::size_t rank = 0; rank < result.ranks.size(); ++rank) {
        if (result.ranks[rank].how == detail::RankEnd::Killed) continue;
        if (result.ranks[rank].how != detail::RankEnd::Returned) return false;
        // A rank that the others take for dead is no survivor.
        for (std::size_t peer = 0; peer < result.ranks.size() && !result.ranks[rank].isGivenUp; ++peer) {
            const auto& other = result.values[peer];
            if (other && !result.ranks[peer].isGivenUp && !agree(*result.values[rank], *other)) return false;
        }
    }
    return true;
}

}    // namespace survivorstest

using namespace survivorstest;

TEST_CASE("Survivors under simulation: they come to the end with the same members, whoever is lost and when") {
    int lostCount = 0;
    int shrinkCount = 0;
    Seeds::forEach(1500, [&](std::uint64_t seed) {
        const int rankCount = 2 + static_cast<int>(seed % 7);
        const auto result =
            simulate(rankCount, withLosses(seed, rankCount), [seed](Connector& world) { return endureSteps(world, seed, stepCount); });
        REQUIRE_MESSAGE(haveEndedWell(result), result.describe(), " ", result.stuckText);
        for (const detail::Simulation::Ending& ending : result.ranks) lostCount += ending.how == detail::RankEnd::Killed ? 1 : 0;
        std::size_t most = 0;
        for (const auto& history : result.values) most = std::max(most, history ? history->size() : 0);
        shrinkCount += static_cast<int>(most);
    });
    MESSAGE(lostCount, " ranks lost, ", shrinkCount, " times gone on with fewer");
    if (Seeds::areMany()) CHECK(shrinkCount > 300);
}

TEST_CASE("Survivors under simulation: the same seed has the same trace, byte for byte") {
    Seeds::forEach(20, [](std::uint64_t seed) {
        const auto run = [seed] {
            return simulate(5, withLosses(seed, 5), [seed](Connector& world) { return endureSteps(world, seed, stepCount); });
        };
        REQUIRE(run().trace.text() == run().trace.text());
    });
}

TEST_CASE("Survivors under simulation: a wait for a rank that is left goes on, and one for the lost rank throws LostRank") {
    Seeds::forEach(200, [](std::uint64_t seed) {
        SimulationOptions options;
        options.seed = seed;
        options.tellsDeathsWithin = std::chrono::milliseconds(seed % 2);    // zero: the death is told at once
        options.faults.push_back({2, 1, Fault::Kind::Kill});
        const auto result = simulate(4, options, [](Connector& world) {
            if (world.rank() == 2) {
                world.barrier();
                return;
            }
            CHECK_THROWS_AS(world.receive<int>(2), LostRank);
            CHECK_THROWS_AS(world.receive<std::string>(), LostRank);    // once
            CHECK_THROWS_AS(world.barrier(), LostRank);
            CHECK_THROWS_AS(world.barrier(), LostRank);
            CHECK_THROWS_AS(world.send(2, 1), LostRank);
            CHECK_THROWS_AS(world.guarded([] {}), LostRank);
            if (world.rank() == 0) {
                CHECK(world.receive<int>() + world.receive<int>() == 4);
            } else {
                world.send(0, world.rank());
            }
            try {
                world.broadcast(1);
            } catch (const LostRank& lost) {
                CHECK(lost.rank() == 2);
            }
        });
        REQUIRE_MESSAGE(result.stuckText.empty(), result.describe());
        REQUIRE(result.ranks[2].how == detail::RankEnd::Killed);
    });
}
