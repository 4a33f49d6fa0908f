// The search for deadlocks in jobs whose slaves join, leave and die, and among ranks that go on after losses.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/exception/NoSlavesLeft.hpp>
#include <ferry/serialization/exception/xassert.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/framework/survivors/SurvivorSteps.hpp>
#include <ferry/tests/simulation/JoiningJob.hpp>
#include <ferry/tests/simulation/LossExercise.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace deadlockmemberstest {

constexpr int stuck = 666;    // the task whose handler waits for what never comes

/// With a patience of zero, every wait counts as a standstill.
std::chrono::microseconds patienceOf(std::uint64_t seed) { return std::chrono::microseconds(seed % 3 == 0 ? 0 : seed % 3 == 1 ? 1 : 2000); }

/// The course of a job as its master has seen it.
struct Seen {
    bool isDeadlock = false;
    bool areNoneLeft = false;
    std::size_t groupsJoined = 0;
    int joined = 0;
    int left = 0;
};

/// Lets the next group of slaves join.
void join(Master& master, const std::vector<int>& groups, Seen& seen) {
    const int count = groups[seen.groupsJoined++];
    master.addSlaves(count);
    seen.joined += count;
}

void defineSlave(Slave& slave) {
    slave.on<Multiply>([](const Multiply& request, Task& task) {
        task.connector().poll();
        if (request.left == stuck) static_cast<void>(task.connector().receive<double>(0));
        return Multiplied(static_cast<long>(request.left) * request.right + task.shared<Table>().rows.at(0));
    });
}

const TaskOptions neverBlamed{.slavesAtMost = 1000};

void mapSome(Master& master, int count, int shared) {
    std::vector<Multiply> tasks;
    for (int i = 0; i < count; ++i) tasks.emplace_back(i, 2);
    long number = 0;
    for (const Multiplied& product : master.map(std::move(tasks), MapOrder::Submission, neverBlamed))
        xassert(product.value == 2 * number++ + shared);
}

/// Slaves join, leave and work in an order that the seed decides. At the end all groups have joined.
void change(Master& master, const std::vector<int>& groups, std::uint64_t seed, Seen& seen) {
    SeededRandom random(seed ^ 0x3e3b);
    int shared = 1;
    master.share(Table{{shared}});
    for (int step = 0; step < 8; ++step) {
        std::vector<Future<Multiplied>> underWay;
        for (auto i = random.below(4); i > 0; --i) underWay.push_back(master.submit(Multiply(3, 5), neverBlamed));
        switch (random.below(4)) {
            case 0:
                if (seen.groupsJoined < groups.size()) join(master, groups, seen);
                break;
            case 1:
                seen.left += master.dismissSlaves(std::min(static_cast<int>(random.below(3)), std::max(0, master.slaveCount() - 1)));
                break;
            case 2:
                for (Future<Multiplied>& future : underWay) static_cast<void>(future.get());
                underWay.clear();
                master.share(Table{{++shared}});
                break;
            default: mapSome(master, static_cast<int>(random.below(20)), shared);
        }
        for (Future<Multiplied>& future : underWay) static_cast<void>(future.get());
    }
    while (seen.groupsJoined < groups.size()) join(master, groups, seen);
    mapSome(master, 10, shared);
}

JoiningJob jobOf(std::uint64_t seed, bool isToBeStuck, Seen& seen) {
    SeededRandom random(seed ^ 0x77);
    JoiningJob job;
    job.firstRanks = 2 + static_cast<int>(random.below(4));
    for (auto i = random.below(4); i > 0; --i) job.groups.push_back(1 + static_cast<int>(random.below(3)));
    job.define = defineSlave;
    job.begin = [seed](Connector& connector) { connector.findDeadlocksAfter(patienceOf(seed)); };
    job.program = [groups = job.groups, seed, isToBeStuck, &seen](Master& master) {
        try {
            change(master, groups, seed, seen);
        } catch (const NoSlavesLeft&) {
            seen.areNoneLeft = true;
            while (seen.groupsJoined < groups.size()) join(master, groups, seen);    // each simulated slave has a part in the job
            throw;
        } catch (const Deadlock&) {
            seen.isDeadlock = true;
            throw;
        }
        if (!isToBeStuck) return;
        for (int round = 0; round < 2; ++round) {
            try {
                static_cast<void>(master.submit(Multiply(stuck, 0), neverBlamed).get());
            } catch (const NoSlavesLeft&) {
                seen.areNoneLeft = true;
                throw;
            } catch (const Deadlock&) {
                seen.isDeadlock = true;
            }
            xassert(seen.isDeadlock);
        }
    };
    return job;
}

/// Kills or silences some of the ranks from the second on.
SimulationOptions withDeaths(std::uint64_t seed, int rankCount) {
    SeededRandom random(seed ^ 0xdead);
    SimulationOptions options;
    options.seed = seed;
    options.tellsDeathsWithin = std::chrono::microseconds(random.oneIn(2) ? 1'000'000 : 1000);
    for (int rank = 1; rank < rankCount; ++rank) {
        if (!random.oneIn(3)) continue;
        const Fault::Kind kind = random.oneIn(4) ? Fault::Kind::Silence : Fault::Kind::Kill;
        options.faults.push_back({rank, 1 + random.below(random.oneIn(2) ? 60 : 600), kind});
    }
    return options;
}

bool hasEnded(const SimulationOf<int>& result, const Seen& seen) {
    if (!result.stuckText.empty() || result.abortStatus || result.ranks.front().how != detail::RankEnd::Returned) return false;
    return result.values.front() == (seen.areNoneLeft ? exitStatus::lostRank : exitStatus::success);
}

}    // namespace deadlockmemberstest

using namespace deadlockmemberstest;

TEST_CASE("Deadlock under simulation: the exercise whose slaves join, leave and die has none, and none is found") {
    Seen sum;
    Seeds::forEach(2000, [&sum](std::uint64_t seed) {
        Seen seen;
        const JoiningJob job = jobOf(seed, false, seen);
        const auto options = seed % 2 == 0 ? SimulationOptions{.seed = seed} : withDeaths(seed, job.rankCount());
        const auto result = simulateJoining(job, options);
        REQUIRE_MESSAGE(hasEnded(result, seen), result.describe(), " ", result.stuckText);
        REQUIRE_FALSE(seen.isDeadlock);
        sum.joined += seen.joined;
        sum.left += seen.left;
    });
    MESSAGE(sum.joined, " slaves joined, ", sum.left, " left");
    if (Seeds::areMany()) CHECK((sum.joined > 1000 && sum.left > 1000));
}

TEST_CASE("Deadlock under simulation: the exercise finds the deadlock of a handler after slaves have joined, left and died") {
    Seeds::forEach(1000, [](std::uint64_t seed) {
        Seen seen;
        const JoiningJob job = jobOf(seed, true, seen);
        const auto options = seed % 2 == 0 ? SimulationOptions{.seed = seed} : withDeaths(seed, job.rankCount());
        const auto result = simulateJoining(job, options);
        REQUIRE_MESSAGE(hasEnded(result, seen), result.describe(), " ", result.stuckText);
        REQUIRE_MESSAGE((seen.isDeadlock || seen.areNoneLeft), result.describe());
    });
}

TEST_CASE("Deadlock under simulation: the loss exercise has none, and none is found, whichever slaves and sub-masters are lost") {
    Seeds::forEach(1000, [](std::uint64_t seed) {
        const int groupSize = seed % 2 == 0 ? 0 : 2 + static_cast<int>(seed / 2 % 3);
        const int rankCount = 4 + static_cast<int>(seed % 7);
        const JobRun job = lossJob(groupSize);
        const auto result = simulate(rankCount, lossOptions(seed, rankCount), [&](Connector& connector) {
            connector.findDeadlocksAfter(patienceOf(seed));
            return conductJob(connector, job);
        });
        REQUIRE_MESSAGE(hasEndedWell(result, groupSize), result.describe(), " ", result.stuckText);
    });
}

TEST_CASE("Deadlock under simulation: ranks that are left find the deadlock among them, also in a group of a lost rank") {
    Seeds::forEach(500, [](std::uint64_t seed) {
        constexpr int rankCount = 5;
        SimulationOptions options;
        options.seed = seed;
        options.tellsDeathsWithin = 1ms;
        const int mortal = static_cast<int>(seed % rankCount);
        options.faults.push_back({mortal, 2000 + seed % 50, Fault::Kind::Kill});
        const bool isInGroup = seed % 2 == 0;
        const auto result = simulate(rankCount, options, [&](Connector& world) {
            const std::unique_ptr<Connector> group = world.split(world.rank() == (mortal + 1) % rankCount ? 1 : 0);
            if (isInGroup) group->findDeadlocksAfter(patienceOf(seed));
            if (!isInGroup) world.findDeadlocksAfter(patienceOf(seed));
            if (world.rank() == mortal) {    // dies when all others have the group
                for (int other = 1; other < rankCount; ++other) static_cast<void>(world.receive<int>());
                for (;;) world.send(mortal, 1);
            }
            world.send(mortal, 1);
            const int outsider = (mortal + 1) % rankCount;
            if (isInGroup && world.rank() == outsider) {
                for (int left = rankCount - 2; left > 0; --left) {
                    try {
                        static_cast<void>(world.receive<int>());
                    } catch (const LostRank&) {
                        ++left;
                    }
                }
                return;
            }
            Connector& connector = isInGroup ? *group : world;
            for (bool isFound = false; !isFound;) {
                try {
                    static_cast<void>(connector.receive<double>());
                } catch (const LostRank&) {
                } catch (const Deadlock& deadlock) {
                    xassert(deadlock.ranks().size() == static_cast<std::size_t>(rankCount - (isInGroup ? 2 : 1)));
                    isFound = true;
                }
            }
            if (isInGroup) world.send(outsider, 1);
            detail::mailboxOf(connector).pumpUntil([] { return false; }, world.now() + 1min);    // until all have heard of the deadlock
        });
        REQUIRE_MESSAGE(result.stuckText.empty(), result.describe());
        for (int rank = 0; rank < rankCount; ++rank) {
            const auto expected = rank == mortal ? detail::RankEnd::Killed : detail::RankEnd::Returned;
            REQUIRE_MESSAGE(result.ranks[static_cast<std::size_t>(rank)].how == expected, result.describe());
        }
    });
}

TEST_CASE("Deadlock under simulation: survivors that shrink their connector have none, and none is found, whoever is lost and when") {
    Seeds::forEach(1000, [](std::uint64_t seed) {
        const int rankCount = 2 + static_cast<int>(seed % 7);
        SimulationOptions options = withDeaths(seed, rankCount);
        if (seed % 4 == 0) options.faults.push_back({0, 1 + seed % 1000, Fault::Kind::Kill});
        const auto result = simulate(rankCount, options, [seed](Connector& world) {
            world.findDeadlocksAfter(patienceOf(seed));
            return endureSteps(world, seed, 12);
        });
        REQUIRE_MESSAGE(result.stuckText.empty(), result.describe(), " ", result.stuckText);
        for (const detail::Simulation::Ending& ending : result.ranks) {
            const bool isFine = ending.how == detail::RankEnd::Killed || ending.how == detail::RankEnd::Returned;
            REQUIRE_MESSAGE(isFine, result.describe());
        }
    });
}
