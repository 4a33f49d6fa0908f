// Maps whose tasks travel in bundles, while slaves and sub-masters die.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/simulate.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/ferry.hpp>
#include <ferry/tests/simulation/Seeds.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace bundlelosstest {

using namespace std::chrono_literals;

constexpr int rankCount = 9;
constexpr int groupSize = 3;    // ranks 1 and 5 are sub-masters

struct Doubled {
    int number = 0;
    using Reply = int;
};

/// The outcome of a map.
struct Outcome {
    std::vector<int> replies{};
    std::size_t lostCount = 0;    ///< elements that no slave was left for
};

/// Takes each element of a map of `count` tasks. Each comes once.
Outcome takeAll(Master& master, int count, MapOrder order) {
    std::vector<Doubled> tasks;
    for (int number = 0; number < count; ++number) tasks.push_back({number});
    Outcome outcome;
    auto replies = master.map(tasks, order, {.slavesAtMost = rankCount});
    for (bool isOver = false; !isOver;) {
        try {
            for (const int reply : replies) outcome.replies.push_back(reply);
            isOver = true;
        } catch (const NoSlavesLeft&) {
            ++outcome.lostCount;
        }
    }
    return outcome;
}

/// Runs maps while the slaves from rank 1 to `doomed` die.
void checkOneSchedule(std::uint64_t seed, int doomed) {
    SeededRandom random(seed ^ 0xb0d1e);
    SimulationOptions options;
    options.seed = seed;
    options.tellsDeathsWithin = random.oneIn(2) ? 50'000us : 100us;
    for (int rank = 1; rank <= doomed; ++rank) options.faults.push_back({rank, 1 + random.below(400), Fault::Kind::Kill});
    constexpr int count = 150;
    const auto program = [&](Master& master) {
        for (const MapOrder order : {MapOrder::Submission, MapOrder::Completion}) {
            Outcome outcome;
            try {
                outcome = takeAll(master, count, order);
            } catch (const UsageError&) {
                CHECK(doomed == rankCount - 1);    // the second map begins without a slave
                return;
            }
            CHECK(outcome.replies.size() + outcome.lostCount == count);
            CHECK((outcome.lostCount == 0 || doomed == rankCount - 1));
            std::vector<bool> isThere(count, false);
            for (const int reply : outcome.replies) {
                REQUIRE((reply % 2 == 0 && reply >= 0 && reply < 2 * count));
                CHECK_FALSE(isThere[static_cast<std::size_t>(reply / 2)]);
                isThere[static_cast<std::size_t>(reply / 2)] = true;
            }
        }
    };
    const JobRun job{.define = [](Slave& slave) { slave.on<Doubled>([](const Doubled& task) { return 2 * task.number; }); },
                     .program = program,
                     .check = nullptr,
                     .groupSize = groupSize};
    const auto result = simulate(rankCount, options, [&job](Connector& connector) { return conductJob(connector, job); });
    INFO(result.describe());
    CHECK(result.stuckText.empty());
    CHECK(result.values[0] == 0);
}

}    // namespace bundlelosstest

using namespace bundlelosstest;

TEST_CASE("Bundle: a map while some slaves die has each reply once") {
    Seeds::forEach(200, [](std::uint64_t seed) { checkOneSchedule(seed, 1 + static_cast<int>(seed % (rankCount - 2))); });
}

TEST_CASE("Bundle: when no slave is left, each element of the map has its reply or the failure") {
    Seeds::forEach(400, [](std::uint64_t seed) { checkOneSchedule(seed, rankCount - 1); });
}
