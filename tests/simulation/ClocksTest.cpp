#include <ferry/connector/transport/simulation/Simulation.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace clockstest {

SimulationOptions with(std::uint64_t seed, std::vector<Fault> faults, int clockDrift = 0) {
    SimulationOptions options;
    options.seed = seed;
    options.faults = std::move(faults);
    options.clockDrift = clockDrift;
    return options;
}

Fault pauseOf(int rank, std::uint64_t atCall, std::chrono::microseconds length) {
    return {rank, atCall, Fault::Kind::Pause, nullptr, length};
}

Fault leapOf(int rank, std::uint64_t atCall, std::chrono::microseconds length) {
    return {rank, atCall, Fault::Kind::Leap, nullptr, length};
}

/// Receives an int from rank 1. Returns the number of waits of one second that ended without it.
int countWaits(Connector& connector) {
    for (int waits = 0;; ++waits) {
        try {
            static_cast<void>(connector.receive<int>(1, Deadline::in(1s)));
            return waits;
        } catch (const TimeoutError&) {
        }
    }
}

}    // namespace clockstest

using namespace clockstest;

TEST_CASE("Clocks under simulation: a rank that pauses sends nothing until then, and the others time out meanwhile") {
    Seeds::forEach(50, [](std::uint64_t seed) {
        const auto result = simulate(2, with(seed, {pauseOf(1, 1, 10s)}), [](Connector& c) {
            if (c.rank() == 0) return countWaits(c);
            c.send(0, 1);
            return 0;
        });
        REQUIRE(result.haveAllReturned());
        REQUIRE(result.time >= 10s);
        REQUIRE(*result.values[0] >= 9);
        REQUIRE(result.trace.text().find("rank 1 stands still") != std::string::npos);
    });
}

TEST_CASE("Clocks under simulation: packets that come during a pause are there after it, and end no pause") {
    Seeds::forEach(50, [](std::uint64_t seed) {
        const auto result = simulate(2, with(seed, {pauseOf(1, 3, 10s)}), [](Connector& c) {
            int sum = 0;
            for (int i = 0; i < 10; ++i) {
                if (c.rank() == 0) {
                    c.send(1, i);
                } else {
                    sum += c.receive<int>(0);
                }
            }
            return c.rank() == 0 || c.now().time_since_epoch() >= 10s ? sum : -1;
        });
        REQUIRE(result.haveAllReturned());
        REQUIRE(*result.values[1] == 45);
    });
}

TEST_CASE("Clocks under simulation: ranks that wait for one that pauses are in no deadlock") {
    Seeds::forEach(100, [](std::uint64_t seed) {
        const int ranks = 2 + static_cast<int>(seed % 4);
        const std::uint64_t atCall = 1 + seed % 40;
        const auto result = simulate(ranks, with(seed, {pauseOf(1, atCall, 1min), pauseOf(0, atCall + 5, 2min)}, 500), [](Connector& c) {
            int sum = 0;
            for (int i = 0; i < 5; ++i) sum += c.allReduce(c.rank() + i, std::plus<>());
            return sum;
        });
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
        REQUIRE(result.values.front() == result.values.back());
    });
}

TEST_CASE("Clocks under simulation: a rank that pauses dies at its time, and is heard no more") {
    const Fault silence{1, 1, Fault::Kind::Silence};
    Seeds::forEach(20, [&silence](std::uint64_t seed) {
        SimulationOptions options = with(seed, {silence, pauseOf(1, 1, 1h)});
        options.tellsDeathsWithin = 100ms;
        const SimulationResult result = simulate(2, options, [](Connector& c) {
            if (c.rank() == 1) c.send(0, 1);
        });
        REQUIRE(result.ranks[1].how == detail::RankEnd::Killed);
        REQUIRE(result.time < 1s);
    });
}

TEST_CASE("Clocks under simulation: after a leap the deadline of the rank is over, and only that of the rank") {
    Seeds::forEach(50, [](std::uint64_t seed) {
        const auto result = simulate(2, with(seed, {leapOf(0, 10, 1h)}), [](Connector& c) {
            if (c.rank() == 1) {
                for (int i = 0; i < 20; ++i) c.send(0, i);
                return c.receive<bool>(0, Deadline::in(10min));
            }
            bool isLate = false;
            try {
                static_cast<void>(c.receive<double>(1, Deadline::in(10min)));
            } catch (const TimeoutError&) {
                isLate = true;
            }
            for (int i = 0; i < 20; ++i) static_cast<void>(c.receive<int>(1));
            c.send(1, isLate);
            return isLate;
        });
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
        REQUIRE(*result.values[0]);
        REQUIRE(*result.values[1]);
        REQUIRE(result.time < 10min);
        REQUIRE(result.trace.text().find("rank 0 has a clock that leaps ahead") != std::string::npos);
    });
}

TEST_CASE("Clocks under simulation: clocks drift by what is said, and each waits by its own") {
    for (const int drift : {0, 500}) {
        std::set<std::int64_t> seconds;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const auto result = simulate(3, with(seed, {}, drift), [](Connector& c) {
                const auto begin = c.now();
                if (c.rank() == 2) {
                    static_cast<void>(c.receive<int>(0) + c.receive<int>(1));
                    return c.now() - begin;
                }
                CHECK_THROWS_AS(static_cast<void>(c.receive<int>(2, Deadline::in(100s))), TimeoutError);
                c.send(2, 1);
                return c.now() - begin;
            });
            REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
            REQUIRE(*result.values[0] >= 100s);
            REQUIRE(*result.values[1] >= 100s);
            REQUIRE(result.time >= 100s * 1000 / (1000 + drift));
            REQUIRE(result.time <= 102s * 1000 / (1000 - drift));
            seconds.insert(result.time / 1s);
        }
        CHECK((seconds.size() > 5) == (drift != 0));
    }
}

TEST_CASE("Clocks under simulation: the same seed has the same trace, byte for byte") {
    Seeds::forEach(20, [](std::uint64_t seed) {
        const auto run = [seed] {
            const SimulationOptions options = with(seed, {pauseOf(1, 4, 1s), leapOf(2, 6, 1s)}, 300);
            const SimulationResult result = simulate(3, options, [](Connector& c) {
                for (int i = 0; i < 5; ++i) c.barrier();
            });
            return result.trace.text();
        };
        REQUIRE(run() == run());
    });
}

TEST_CASE("Clocks under simulation: impossible drifts and lengths are refused") {
    const auto nothing = [](Connector&) {};
    CHECK_THROWS_WITH_AS(simulate(2, with(1, {}, 901), nothing), "SimulationOptions::clockDrift must be from 0 to 900, found 901",
                         UsageError);
    CHECK_THROWS_AS(simulate(2, with(1, {}, -1), nothing), UsageError);
    CHECK_THROWS_AS(simulate(2, with(1, {pauseOf(0, 1, -1us)}), nothing), UsageError);
    CHECK_THROWS_AS(simulate(2, with(1, {leapOf(0, 1, std::chrono::microseconds::max())}), nothing), UsageError);
}
