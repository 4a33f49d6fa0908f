#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/connector/transport/simulation/SimulatedDeadlock.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/master/BesideJob.hpp>
#include <ferry/framework/monitor/JobMonitor.hpp>
#include <ferry/serialization/exception/xassert.hpp>
#include <ferry/tests/connector/GuardedCampaign.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/simulation/ConnectorExercise.hpp>
#include <ferry/tests/simulation/JobExercise.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace deadlocksimulationtest {

constexpr std::chrono::milliseconds quietTime{50};

/// The patience depends on the seed. With a patience of zero, every wait counts as a standstill.
std::chrono::microseconds impatience(std::uint64_t seed) { return std::chrono::microseconds(seed % 3 == 0 ? 0 : seed % 3 == 1 ? 1 : 2000); }

bool hasDeadlock(const SimulationResult& result) {
    for (const detail::Simulation::Ending& ending : result.ranks) {
        if (ending.how == detail::RankEnd::Threw && detail::Thrown(ending.exception).as<Deadlock>() != nullptr) return true;
    }
    return false;
}

SimulationResult exercise(std::uint64_t seed, const SimulationOptions& options, ConnectorExercise::Waits waits) {
    ConnectorExercise exercise(seed, waits);
    return simulate(rankCountFor(seed), options, [&](Connector& c) {
        c.findDeadlocksAfter(impatience(seed));
        exercise.run(c);
    });
}

SimulationOptions optionsOf(std::uint64_t seed) {
    SimulationOptions options;
    options.seed = seed;
    return options;
}

/// Returns the number of ranks that the Deadlock of the call names; 0 when the call returns.
template <class Call>
std::size_t stuckIn(const Call& call) {
    try {
        call();
    } catch (const Deadlock& deadlock) {
        return deadlock.ranks().size();
    }
    return 0;
}

/// Some traffic. Afterwards, the ranks may be at different places in the program.
void trade(Connector& c, std::uint64_t seed) {
    SeededRandom random(seed);    // the same numbers on every rank
    for (int step = 0; step < 5; ++step) {
        const auto distance = static_cast<int>(random.below(static_cast<std::uint64_t>(c.size())));
        switch (random.below(4)) {
            case 0: c.barrier(); break;
            case 1: xassert(c.broadcast(c.rank(), distance) == distance); break;
            case 2: c.guarded([&] { xassert(c.allReduce(1, Sum{}) == c.size()); }); break;
            default:
                c.send((c.rank() + distance) % c.size(), c.rank());
                xassert(c.receive<int>((c.rank() - distance + c.size()) % c.size()) == (c.rank() - distance + c.size()) % c.size());
        }
    }
}

/// After some traffic, each rank calls `part`, which plants a deadlock. Then all ranks go on together.
template <class Part>
void checkFound(std::uint64_t seed, const Part& part) {
    const SimulationResult result = simulate(rankCountFor(seed), optionsOf(seed), [&](Connector& c) {
        c.findDeadlocksAfter(quietTime);
        for (int round = 0; round < 2; ++round) {
            trade(c, seed);
            part(c);
            xassert(c.allReduce(c.rank(), Sum{}) == c.size() * (c.size() - 1) / 2);
        }
    });
    REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
}

JobRun impatient(JobRun job, std::uint64_t seed) {
    const auto define = job.define;
    job.define = [define, seed](Slave& slave) {
        define(slave);
        slave.setUp([seed](Connector& c) {
            c.findDeadlocksAfter(impatience(seed));
            return std::make_shared<int>(0);
        });
    };
    const auto program = job.program;
    job.program = [program, seed](Master& master) {
        master.connector().findDeadlocksAfter(impatience(seed));
        program(master);
    };
    return job;
}

}    // namespace deadlocksimulationtest

using namespace deadlocksimulationtest;

TEST_CASE("Deadlock under simulation: the exercise has none, and none is found, however impatient the ranks are") {
    Seeds::forEach(2000, [](std::uint64_t seed) {
        const SimulationResult result = exercise(seed, optionsOf(seed), ConnectorExercise::Waits::ForAnyRankToo);
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
    });
}

TEST_CASE("Deadlock under simulation: it is found in a job whose progress is shown, by the ranks or by the simulation") {
    Seeds::forEach(20, [](std::uint64_t seed) {
        for (const bool areRanksToFind : {true, false}) {
            bool isFound = false;
            const JobRun job{.define =
                                 [](Slave& slave) {
                                     slave.on<Multiply>([](const Multiply&, Task& task) {
                                         static_cast<void>(task.connector().receive<int>(0));
                                         return Multiplied(0);
                                     });
                                 },
                             .program =
                                 [&isFound](Master& plain) {
                                     Connector& connector = plain.connector();
                                     detail::JobMonitor monitor(detail::MonitorSettings{}, connector.size() - 1, connector.now());
                                     Master master(connector, detail::BesideJob{.monitor = &monitor});
                                     try {
                                         static_cast<void>(master.submit(Multiply(1, 1)).get());
                                     } catch (const Deadlock&) {
                                         isFound = true;
                                     } catch (const SimulatedDeadlock&) {
                                         isFound = true;
                                         throw;
                                     }
                                 },
                             .check = nullptr};
            const SimulationResult result = simulate(3, optionsOf(seed), [&](Connector& c) {
                if (areRanksToFind) c.findDeadlocksAfter(quietTime);
                return conductJob(c, job);
            });
            REQUIRE_MESSAGE(isFound, result.describe());
        }
    });
}

TEST_CASE("Deadlock under simulation: ranks that leave, fail or are killed in the exercise are never taken for stuck") {
    Seeds::forEach(1000, [](std::uint64_t seed) {
        SimulationOptions options = optionsOf(seed);
        options.faults = {faultFromSeed(seed, rankCountFor(seed), 300)};
        const SimulationResult result = exercise(seed, options, ConnectorExercise::Waits::ForOneRank);
        REQUIRE_MESSAGE(!hasDeadlock(result), result.describe());
    });
}

TEST_CASE("Deadlock under simulation: guarded regions that fail at random have none, and none is found") {
    Seeds::forEach(300, [](std::uint64_t seed) {
        const SimulationResult result = simulate(rankCountFor(seed), seed, [seed](Connector& c) {
            c.findDeadlocksAfter(impatience(seed));
            for (const std::string& problem : runGuardedCampaign(c, {.seed = seed, .regions = 5})) throw std::logic_error(problem);
        });
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
    });
}

TEST_CASE("Deadlock under simulation: jobs have none, and none is found, in whatever way they end") {
    Seeds::forEach(200, [](std::uint64_t seed) {
        const int rankCount = rankCountFor(seed);
        const auto good = simulateJob(rankCount, optionsOf(seed), impatient(jobExercise(), seed));
        REQUIRE_MESSAGE(good.haveAllReturned(), good.describe());
        for (const auto& status : good.values) REQUIRE(status == exitStatus::success);
    });
}

TEST_CASE("Deadlock under simulation: a circle of all ranks is found on every schedule") {
    Seeds::forEach(500, [](std::uint64_t seed) {
        checkFound(seed, [](Connector& c) {
            const int from = (c.rank() + 1) % c.size();
            xassert(stuckIn([&] { c.receive<double>(from); }) == static_cast<std::size_t>(c.size()));
        });
    });
}

TEST_CASE("Deadlock under simulation: a circle of two ranks is found while the others wait in a collective") {
    Seeds::forEach(500, [](std::uint64_t seed) {
        checkFound(seed, [](Connector& c) {
            if (c.rank() < 2) xassert(stuckIn([&] { c.receive<double>(1 - c.rank()); }) == static_cast<std::size_t>(c.size()));
            // The first two ranks need only values that the others sent before they gave up.
            // Another rank goes on as well if it is not told of the deadlock before its collective ends.
            const std::size_t stuckCount = stuckIn([&] { c.allGather(c.rank()); });
            xassert(stuckCount == 0u || (c.rank() >= 2 && stuckCount == static_cast<std::size_t>(c.size())));
        });
    });
}

TEST_CASE("Deadlock under simulation: a receive against a collective is found on every schedule") {
    Seeds::forEach(500, [](std::uint64_t seed) {
        checkFound(seed, [](Connector& c) {
            if (c.rank() + 1 == c.size()) xassert(stuckIn([&] { c.receive<double>(); }) == static_cast<std::size_t>(c.size()));
            xassert(stuckIn([&] { c.allReduce(1, Sum{}); }) == static_cast<std::size_t>(c.size()));
        });
    });
}

TEST_CASE("Deadlock under simulation: a rank that waits inside of a guarded region at whose end the others are is found") {
    Seeds::forEach(500, [](std::uint64_t seed) {
        checkFound(seed, [seed](Connector& c) {
            const int stuckRank = static_cast<int>(seed % static_cast<std::uint64_t>(c.size()));
            try {
                c.guarded([&] {
                    if (c.rank() == stuckRank) c.receive<double>();
                });
                xassert(false);
            } catch (const ExceptionList& failures) {
                xassert(failures.size() == 1u);
                xassert(failures.front().ranks() == std::vector<int>{stuckRank});
                const auto* deadlock = failures.front().as<Deadlock>();
                xassert(deadlock != nullptr && deadlock->ranks().size() == static_cast<std::size_t>(c.size()));
            }
        });
    });
}

TEST_CASE("Deadlock under simulation: a master that waits for what an idle slave never sends is told") {
    Seeds::forEach(300, [](std::uint64_t seed) {
        bool isFound = false;
        JobRun job;
        job.define = [](Slave& slave) { slave.on<Note>([](const Note&) { return Done(); }); };
        job.program = [&isFound](Master& master) {
            static_cast<void>(master.submit(Note("work")).get());
            Connector& c = master.connector();
            try {
                static_cast<void>(c.receive<int>(c.size() - 1));
            } catch (const Deadlock& deadlock) {
                xassert(deadlock.ranks().size() == static_cast<std::size_t>(c.size()));
                xassert(deadlock.ranks().back().awaited.what == "a task from the master (rank 0)");
                isFound = true;
            }
            static_cast<void>(master.submit(Note("more work")).get());
        };
        const auto result = simulateJob(rankCountFor(seed), optionsOf(seed), impatient(job, seed));
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
        REQUIRE(isFound);
        for (const auto& status : result.values) REQUIRE(status == exitStatus::success);
    });
}

TEST_CASE("Deadlock under simulation: the ranks that are left are found stuck when others have left") {
    Seeds::forEach(500, [](std::uint64_t seed) {
        const int rankCount = 2 + rankCountFor(seed);
        const SimulationResult result = simulate(rankCount, seed, [seed](Connector& c) {
            c.findDeadlocksAfter(quietTime);
            SeededRandom random(seed);
            const auto one = static_cast<int>(random.below(static_cast<std::uint64_t>(c.size())));
            const int other = (one + 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(c.size() - 1)))) % c.size();
            c.send(one, c.rank());
            c.throwOn(other, std::runtime_error("late"));    // may still be under way after its sender has left
            if (c.rank() != one && c.rank() != other) return;
            int thrownCount = 0;
            for (;;) {
                try {
                    c.receive<double>(c.rank() == one ? other : one);
                } catch (const std::runtime_error&) {
                    ++thrownCount;
                } catch (const Deadlock& deadlock) {
                    xassert(deadlock.ranks().size() == 2u);
                    break;
                }
            }
            xassert(thrownCount == (c.rank() == other ? c.size() : 0));
            detail::mailboxOf(c).pumpUntil([] { return false; }, c.now() + 1min);    // so that the other rank hears of the deadlock first
        });
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
    });
}
