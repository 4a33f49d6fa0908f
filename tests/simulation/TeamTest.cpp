// Tasks that several slaves do together, on thousands of schedules, with throws and with deaths in every phase.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/exception/NoSlavesLeft.hpp>
#include <ferry/framework/exception/PoisonTask.hpp>
#include <ferry/serialization/exception/xassert.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/simulation/Seeds.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace teamexercise {

using namespace std::chrono_literals;

/// The ranks of the team whose bits are set throw. The others answer with the number of the team's ranks.
struct Together {
    std::uint32_t throwing = 0;
    int steps = 0;
    using Reply = int;
};

bool throwsIn(const Together& task, int rank) { return (task.throwing >> rank & 1u) != 0; }

int work(const Together& task, Team& team) {
    Connector& c = team.connector();
    for (int step = 0; step < task.steps; ++step) {
        if (step == task.steps / 2 && throwsIn(task, c.rank())) throw Refused(c.rank());
        c.barrier();
    }
    return c.allReduce(1, Sum{});
}

void define(Slave& slave) {
    slave.on<Together>(work);
    slave.on<Multiply>([](const Multiply& task) { return Multiplied(static_cast<long>(task.left) * task.right); });
}

/// Checks the outcome of one team. A loss may end any team; nothing else may happen to a team that has no throwing rank.
void check(Future<int>& team, const Together& task, int size, bool areMortal) {
    std::uint32_t expected = 0;
    for (int rank = 0; rank < size && task.steps > 0; ++rank) expected |= throwsIn(task, rank) ? 1u << rank : 0u;
    try {
        xassert(team.get() == size);
        xassert(expected == 0);
    } catch (const ExceptionList& list) {
        for (const Failure& failure : list) {
            if (failure.as<LostRank>() != nullptr) {
                xassert(areMortal);
                continue;
            }
            const Refused* const refused = failure.as<Refused>();
            xassert(refused != nullptr && failure.ranks() == std::vector<int>{refused->number});
            xassert((expected >> refused->number & 1u) != 0);
        }
    } catch (const LostRank&) {
        xassert(areMortal);
    } catch (const PoisonTask&) {
        xassert(areMortal);
    }
}

void conduct(Master& master, std::uint64_t seed, bool areMortal) {
    SeededRandom random(seed);
    for (int round = 0; round < 4; ++round) {
        struct Asked {
            Together task;
            int size = 0;
            Future<int> reply;
        };
        std::vector<Asked> teams;
        std::vector<Future<Multiplied>> tasks;
        const auto count = 1 + random.below(6);
        try {
            for (std::uint64_t i = 0; i < count; ++i) {
                const int slaves = std::min(master.slaveCount(), 8);
                const int size = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(std::max(slaves, 1))));
                const Together task{random.oneIn(3) ? static_cast<std::uint32_t>(random.below(256)) : 0u,
                                    static_cast<int>(random.below(4))};
                teams.push_back({task, size, master.submit(task, ranks(size), {.priority = static_cast<int>(random.below(2))})});
                if (random.oneIn(2)) tasks.push_back(master.submit(Multiply(3, 5), {.slavesAtMost = 1000}));
                if (random.oneIn(3)) master.poll();
            }
        } catch (const UsageError&) {
            xassert(areMortal);    // a slave was lost between the two calls
        }
        for (Asked& each : teams) check(each.reply, each.task, each.size, areMortal);
        for (Future<Multiplied>& task : tasks) xassert(task.get().value == 15);
    }
}

void checkOneSchedule(std::uint64_t seed, bool areMortal, int groupSize) {
    SeededRandom random(seed ^ 0x7ea3);
    const int rankCount = areMortal ? 3 + static_cast<int>(seed % 7) : std::max(rankCountFor(seed), groupSize + 2);
    SimulationOptions options;
    options.seed = seed;
    if (areMortal) {
        options.tellsDeathsWithin = random.oneIn(2) ? 100'000us : 100us;
        const auto lostCount = 1 + random.below(static_cast<std::uint64_t>(rankCount - 2));
        for (std::uint64_t i = 0; i < lostCount; ++i) {
            const auto rank = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(rankCount - 1)));
            options.faults.push_back({rank, 1 + random.below(random.oneIn(2) ? 200 : 2000), Fault::Kind::Kill});
        }
    }
    const JobRun job{.define = define,
                     .program =
                         [&](Master& master) {
                             try {
                                 conduct(master, seed, areMortal);
                             } catch (const NoSlavesLeft&) {
                                 xassert(areMortal);
                             }
                         },
                     .check = nullptr,
                     .groupSize = groupSize};
    const auto result = simulate(rankCount, options, [&job](Connector& connector) { return conductJob(connector, job); });
    INFO(result.describe(), " ", result.stuckText);
    CHECK(result.stuckText.empty());
    CHECK(result.values[0] == exitStatus::success);
}

}    // namespace teamexercise

TEST_CASE("team exercise: each team ends with its reply or its failures, on every schedule") {
    Seeds::forEach(1000, [](std::uint64_t seed) { teamexercise::checkOneSchedule(seed, false, seed % 3 == 0 ? 2 : 0); });
}

TEST_CASE("team exercise: deaths end the teams that they meet, and no other task") {
    Seeds::forEach(1500, [](std::uint64_t seed) { teamexercise::checkOneSchedule(seed, true, 0); });
}

TEST_CASE("team exercise: deaths in groups with sub-masters") {
    Seeds::forEach(700, [](std::uint64_t seed) { teamexercise::checkOneSchedule(seed, true, 2); });
}
