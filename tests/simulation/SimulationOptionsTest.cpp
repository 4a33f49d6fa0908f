#include <ferry/connector/transport/simulation/SimulationOptions.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/connector/transport/simulation/SimulationLimitReached.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace simulationoptionstest {

using Delays = std::vector<std::chrono::nanoseconds>;

/// Measures the travel times of packets, sent one at a time between two ranks. Calls take no simulated time here.
Delays measureDelays(std::uint64_t seed, std::optional<std::chrono::microseconds> packetDelay, detail::Channel channel, int count) {
    SimulationOptions options;
    options.seed = seed;
    options.callTime = 0us;
    options.packetDelay = packetDelay;
    detail::Simulation simulation(2, options);
    Delays delays;
    static_cast<void>(simulation.run([&](int rank) {
        const std::unique_ptr<detail::Transport> transport = simulation.transport(rank);
        const auto takeOne = [&] {
            while (!transport->poll()) transport->idle(std::chrono::microseconds::max());
        };
        for (int i = 0; i < count; ++i) {
            if (rank != 0) takeOne();
            const auto sentAt = transport->now();
            IntBuffer ints;
            IntWriter(ints).writeInt(i);
            transport->startSend(1 - rank, channel, std::move(ints));
            if (rank != 0) continue;
            takeOne();
            delays.push_back(transport->now() - sentAt);    // the packet travels there and back
        }
    }));
    return delays;
}

constexpr int rounds = 100;

}    // namespace simulationoptionstest

using namespace simulationoptionstest;

TEST_CASE("SimulationOptions: a call takes the given time") {
    for (const std::chrono::microseconds callTime : {0us, 1us, 7us}) {
        SimulationOptions options;
        options.callTime = callTime;
        detail::Simulation simulation(1, options);
        static_cast<void>(simulation.run([&simulation](int rank) {
            const std::unique_ptr<detail::Transport> transport = simulation.transport(rank);
            for (int i = 0; i < 10; ++i) static_cast<void>(transport->poll());
        }));
        CHECK(simulation.time() == 10 * callTime);
    }
}

TEST_CASE("SimulationOptions: where calls take no time, waits still do, and who never waits meets the limit of calls") {
    SimulationOptions options;
    options.callTime = 0us;
    options.maxCalls = 1000;
    const auto waiting = simulate(1, options, [](Connector& c) {
        const auto start = c.now();
        const bool isTrue = detail::mailboxOf(c).pumpUntil([] { return false; }, start + 1s);
        return !isTrue && c.now() >= start + 1s;
    });
    CHECK(waiting.values == std::vector<std::optional<bool>>{true});
    const SimulationResult busy = simulate(1, options, [](Connector& c) {
        for (;;) c.poll();
    });
    CHECK(busy.ranks[0].how == detail::RankEnd::Threw);
    CHECK(detail::Thrown(busy.ranks[0].exception).as<SimulationLimitReached>() != nullptr);
    CHECK(busy.time == 0us);
}

TEST_CASE("SimulationOptions: packets arrive within the time that is said, but for stragglers, whatever the seed") {
    for (const detail::Channel channel : {detail::Channel::Data, detail::Channel::Control}) {
        Seeds::forEach(20, [channel](std::uint64_t seed) {
            const Delays delays = measureDelays(seed, 50us, channel, rounds);
            REQUIRE(delays.size() == rounds);
            const auto inTime = std::count_if(delays.begin(), delays.end(), [](auto delay) { return delay < 2 * 50us; });
            REQUIRE(inTime > rounds / 2);
            REQUIRE(*std::max_element(delays.begin(), delays.end()) < 2 * 20 * 50us);
        });
    }
    const Delays atOnce = measureDelays(1, 1us, detail::Channel::Data, rounds);
    CHECK(std::all_of(atOnce.begin(), atOnce.end(), [](auto delay) { return delay == 0us; }));
}

TEST_CASE("SimulationOptions: without a delay the seed decides how slow the network is") {
    std::chrono::nanoseconds fastest = std::chrono::nanoseconds::max();
    std::chrono::nanoseconds slowest{0};
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        Delays delays = measureDelays(seed, std::nullopt, detail::Channel::Data, 20);
        const auto median = delays.begin() + 10;
        std::nth_element(delays.begin(), median, delays.end());
        fastest = std::min(fastest, *median);
        slowest = std::max(slowest, *median);
    }
    CHECK(fastest <= 20us);
    CHECK(slowest >= 1ms);
}

TEST_CASE("SimulationOptions: negative times and delays below 1 us are refused") {
    for (const auto time : {&SimulationOptions::callTime, &SimulationOptions::maxTime, &SimulationOptions::tellsDeathsWithin}) {
        SimulationOptions backwards;
        backwards.*time = -1us;
        CHECK_THROWS_AS(detail::Simulation(2, backwards), UsageError);
    }
    for (const std::chrono::microseconds delay : {0us, -1us}) {
        SimulationOptions options;
        options.packetDelay = delay;
        CHECK_THROWS_AS(detail::Simulation(2, options), UsageError);
    }
}
