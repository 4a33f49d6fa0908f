#include <ferry/connector/transport/simulation/Simulation.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/connector/transport/simulation/SimulatedDeadlock.hpp>
#include <ferry/connector/transport/simulation/SimulatedFault.hpp>
#include <ferry/connector/transport/simulation/SimulationLimitReached.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace simulationtest {

IntBuffer oneInt(std::int32_t number) {
    IntBuffer ints;
    IntWriter(ints).writeInt(number);
    return ints;
}

/// Takes packets until the rank has `count` packets.
std::vector<detail::Packet> takePackets(detail::Transport& transport, std::size_t count) {
    std::vector<detail::Packet> packets;
    while (packets.size() < count) {
        if (std::optional<detail::Packet> packet = transport.poll()) {
            packets.push_back(std::move(*packet));
        } else {
            transport.idle(std::chrono::microseconds::max());
        }
    }
    return packets;
}

SimulationOptions optionsOf(std::uint64_t seed, std::vector<Fault> faults = {}) {
    SimulationOptions options;
    options.seed = seed;
    options.faults = std::move(faults);
    return options;
}

template <class E>
bool threw(const detail::Simulation::Ending& ending) {
    return ending.how == detail::RankEnd::Threw && detail::Thrown(ending.exception).as<E>() != nullptr;
}

}    // namespace simulationtest

using namespace simulationtest;

TEST_CASE("Simulation: packets of one sender on one channel keep their order, others meet in many orders") {
    std::set<std::vector<std::int32_t>> orders;
    Seeds::forEach(200, [&orders](std::uint64_t seed) {
        detail::Simulation simulation(3, optionsOf(seed));
        std::vector<std::int32_t> order;
        const auto endings = simulation.run([&](int rank) {
            const auto transport = simulation.transport(rank);
            for (std::int32_t i = 0; rank != 0 && i < 3; ++i) {
                transport->startSend(0, detail::Channel::Data, oneInt(10 * rank + i));
                transport->startSend(0, detail::Channel::Control, oneInt(100 * rank + i));
            }
            if (rank != 0) return;
            for (const detail::Packet& packet : takePackets(*transport, 12)) order.push_back(packet.ints.ints()[0]);
        });
        std::vector<std::vector<std::int32_t>> streams(4);
        for (const std::int32_t number : order) {
            const bool isControl = number >= 100;
            streams.at(static_cast<std::size_t>((isControl ? number / 100 : number / 10) - 1 + (isControl ? 2 : 0))).push_back(number % 10);
        }
        for (const auto& stream : streams) REQUIRE(stream == std::vector<std::int32_t>{0, 1, 2});
        orders.insert(order);
    });
    if (Seeds::areMany()) CHECK(orders.size() > 100);
}

TEST_CASE("Simulation: waiting takes simulated time only") {
    const auto result = simulate(2, 1, [](Connector& c) {
        const auto start = detail::mailboxOf(c).transport().now();
        const bool isTrue = detail::mailboxOf(c).pumpUntil([] { return false; }, start + 10min);
        return !isTrue && detail::mailboxOf(c).transport().now() >= start + 10min && detail::mailboxOf(c).transport().now() < start + 11min;
    });
    CHECK(result.values == std::vector<std::optional<bool>>{true, true});
    CHECK(result.time >= 10min);    // the timeout of the test entry ends a test that really takes 10 minutes
}

TEST_CASE("Simulation: two ranks that wait for each other get a deadlock that names them") {
    Seeds::forEach(20, [](std::uint64_t seed) {
        const SimulationResult result = simulate(3, seed, [](Connector& c) {
            if (c.rank() < 2) static_cast<void>(c.receive<int>(1 - c.rank()));
        });
        REQUIRE(threw<SimulatedDeadlock>(result.ranks[0]));
        REQUIRE(threw<SimulatedDeadlock>(result.ranks[1]));
        REQUIRE(result.ranks[2].how == detail::RankEnd::Returned);
        REQUIRE(result.stuckText.find("\n  rank 0 waits for a value of type int from rank 1\n  rank 1 waits for a value of type int from "
                                      "rank 0\n  rank 2 has returned") != std::string::npos);
        REQUIRE(result.trace.text(3).find("has ended") != std::string::npos);
    });
}

TEST_CASE("Simulation: a deadlock says what has come and nobody has received, as does a rank that waits for one that has returned") {
    const std::string remark = "there is a value of type int from rank 0, tag 5, which nobody has received";
    const SimulationResult stuck = simulate(2, 1, [](Connector& c) {
        if (c.rank() == 0) c.send(1, 7, Tag(5));
        static_cast<void>(c.receive<long>(1 - c.rank(), Tag(5)));
    });
    CHECK(stuck.stuckText.find("rank 1 waits for a value of type long from rank 0, tag 5\n    " + remark) != std::string::npos);
    std::string text;
    const SimulationResult left = simulate(2, 1, [&text](Connector& c) {
        if (c.rank() == 0) return c.send(1, 7, Tag(5));
        try {
            static_cast<void>(c.receive<long>(0, Tag(5)));
        } catch (const RankHasLeft& error) {
            text = error.what();
        }
    });
    CHECK(left.haveAllReturned());
    CHECK(text == "rank 0 has returned from its program: this rank waits in vain; " + remark);
}

TEST_CASE("Simulation: timers run by the simulated clock") {
    std::string text;
    const auto measure = [&text](Connector& c) {
        {
            const auto run = c.timers().time("pause");
            try {
                static_cast<void>(c.receive<int>(c.rank(), Deadline::in(1min * (c.rank() + 1))));
            } catch (const TimeoutError&) {}
        }
        const Measurements all = c.measurements();
        if (c.rank() != 0) return;
        const Measurement& pause = *all.find("pause");
        CHECK(pause.min >= 60);
        CHECK(pause.min < 61);
        CHECK(pause.max >= 180);
        CHECK(pause.max < 181);
        CHECK(pause.maxRank == 2);
        text = all.text();
    };
    CHECK(simulate(3, 5, measure).haveAllReturned());
    const std::string first = text;
    CHECK(simulate(3, 5, measure).haveAllReturned());
    CHECK(text == first);
}

TEST_CASE("Simulation: a deadlock is thrown again from every later call") {
    const SimulationResult result = simulate(2, 1, [](Connector& c) {
        for (int i = 0; i < 3; ++i) CHECK_THROWS_AS(static_cast<void>(c.receive<int>(1 - c.rank())), SimulatedDeadlock);
    });
    CHECK(result.haveAllReturned());
    CHECK_FALSE(result.stuckText.empty());
}

TEST_CASE("Simulation: a rank in an endless loop meets the limit of calls, a rank that waits for ever meets that of time") {
    SimulationOptions options = optionsOf(1);
    options.maxCalls = 1000;
    const SimulationResult busy = simulate(2, options, [](Connector& c) {
        for (;;) c.poll();
    });
    CHECK(threw<SimulationLimitReached>(busy.ranks[0]));
    CHECK(threw<SimulationLimitReached>(busy.ranks[1]));
    options.maxTime = 1s;
    const SimulationResult patient = simulate(1, options, [](Connector& c) {
        for (;;) detail::mailboxOf(c).pumpUntil([] { return false; }, detail::mailboxOf(c).transport().now() + 100ms);
    });
    CHECK(threw<SimulationLimitReached>(patient.ranks[0]));
    CHECK(patient.ranks[0].callCount < 100);
}

TEST_CASE("Simulation: a rank that returned or left says farewell, one that was killed does not") {
    for (const Fault::Kind kind : {Fault::Kind::Leave, Fault::Kind::Kill}) {
        Seeds::forEach(20, [kind](std::uint64_t seed) {
            const SimulationResult result =
                simulate(2, optionsOf(seed, {{1, 1, kind}}), [](Connector& c) { static_cast<void>(c.receive<int>(1 - c.rank())); });
            const bool isKill = kind == Fault::Kind::Kill;
            REQUIRE(result.ranks[1].how == (isKill ? detail::RankEnd::Killed : detail::RankEnd::Left));
            REQUIRE((isKill ? threw<SimulatedDeadlock>(result.ranks[0]) : threw<RankHasLeft>(result.ranks[0])));
        });
    }
}

TEST_CASE("Simulation: a rank that is killed unwinds, though it catches everything, and is not heard any more") {
    Seeds::forEach(50, [](std::uint64_t seed) {
        bool isUnwound = false;
        const SimulationResult result = simulate(2, optionsOf(seed, {{1, 3, Fault::Kind::Kill}}), [&isUnwound](Connector& c) {
            if (c.rank() == 0) return static_cast<void>(c.receive<double>(1));
            const auto noteEnd = std::shared_ptr<void>(nullptr, [&isUnwound](void*) { isUnwound = true; });
            for (int i = 0; i < 10; ++i) {
                try {
                    c.send(0, i);
                } catch (...) {
                    REQUIRE(i >= 2);
                }
            }
            c.send(0, 0.5);
        });
        REQUIRE(isUnwound);
        REQUIRE(result.ranks[1].how == detail::RankEnd::Killed);
        REQUIRE(threw<SimulatedDeadlock>(result.ranks[0]));
    });
}

TEST_CASE("Simulation: the end of a rank tells whether the others took the rank for dead, though it returned") {
    for (const bool isTold : {true, false}) {
        SimulationOptions options = optionsOf(1, {{1, 1, Fault::Kind::Silence}});
        if (isTold) options.tellsDeathsWithin = 100ms;
        const SimulationResult result = simulate(2, options, [](Connector& c) {
            if (c.rank() == 1) c.send(0, 1);
        });
        REQUIRE(result.haveAllReturned());
        CHECK_FALSE(result.ranks[0].isGivenUp);
        CHECK(result.ranks[1].isGivenUp == isTold);
    }
}

TEST_CASE("Simulation: what a rank sent before it was killed arrives up to some packet, and not beyond") {
    std::set<int> counts;
    Seeds::forEach(300, [&counts](std::uint64_t seed) {
        int received = 0;
        const SimulationResult result = simulate(2, optionsOf(seed, {{1, 9, Fault::Kind::Kill}}), [&received](Connector& c) {
            for (int i = 0; c.rank() == 1; ++i) c.send(0, i);
            for (;; ++received) {
                const int number = c.receive<int>(1);
                REQUIRE(number == received);
            }
        });
        REQUIRE(threw<SimulatedDeadlock>(result.ranks[0]));
        REQUIRE(received <= 8);
        counts.insert(received);
    });
    if (Seeds::areMany()) CHECK(counts.size() > 4);
}

TEST_CASE("Simulation: a fault throws what it brings, at its call") {
    Fault fault{0, 2, Fault::Kind::Throw, std::make_exception_ptr(std::out_of_range("here"))};
    const SimulationResult result = simulate(1, optionsOf(1, {fault}), [](Connector& c) {
        c.send(0, 1);
        CHECK_THROWS_WITH_AS(c.send(0, 2), "here", std::out_of_range);
        c.send(0, 3);
        CHECK(c.receive<int>() == 1);
        CHECK(c.receive<int>() == 3);
    });
    CHECK(result.haveAllReturned());
    fault.exception = nullptr;
    const SimulationResult plain = simulate(1, optionsOf(1, {fault}), [](Connector& c) { c.barrier(), c.send(0, 1), c.send(0, 2); });
    CHECK(threw<SimulatedFault>(plain.ranks[0]));
}

TEST_CASE("Simulation: an end by force ends every rank") {
    const SimulationResult result = simulate(3, 1, [](Connector& c) {
        if (c.rank() == 2) detail::mailboxOf(c).transport().abort(7);
        c.barrier();
    });
    CHECK(result.abortStatus == 7);
    for (const detail::Simulation::Ending& ending : result.ranks) CHECK(ending.how == detail::RankEnd::Aborted);
}

TEST_CASE("Simulation: wake() ends a rest") {
    Seeds::forEach(50, [](std::uint64_t seed) {
        detail::Simulation simulation(2, optionsOf(seed));
        std::vector<std::unique_ptr<detail::Transport>> transports;
        for (int rank = 0; rank < 2; ++rank) transports.push_back(simulation.transport(rank));
        bool isSaid = false;
        const auto endings = simulation.run([&](int rank) {
            if (rank == 0) {
                while (!isSaid) transports[0]->idle(1h);
                return;
            }
            for (int i = 0; i < 5; ++i) REQUIRE_FALSE(transports[1]->poll().has_value());
            isSaid = true;
            transports[0]->wake();
        });
        REQUIRE(endings[0].how == detail::RankEnd::Returned);
        REQUIRE(simulation.time() < 1s);
    });
}

TEST_CASE("Simulation: values and exceptions of the programs are in the result") {
    const auto result = simulate(3, 5, [](Connector& c) -> std::string {
        if (c.rank() == 1) throw std::invalid_argument("no");
        return std::to_string(c.size());
    });
    CHECK(result.values == std::vector<std::optional<std::string>>{"3", std::nullopt, "3"});
    CHECK(threw<std::invalid_argument>(result.ranks[1]));
    CHECK(result.describe() == "seed 5: rank 0 returned; rank 1 threw std::invalid_argument: no; rank 2 returned");
}

TEST_CASE("Simulation: other seeds give other traces") {
    std::set<std::string> traces;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) traces.insert(simulate(3, seed, [](Connector& c) { c.barrier(); }).trace.text());
    CHECK(traces.size() == 50);
}

TEST_CASE("Simulation: the trace says when which rank sent and took what") {
    const std::string text = simulate(2, 1, [](Connector& c) {
                                 if (c.isMaster()) c.send(1, 77);
                                 if (!c.isMaster()) CHECK(c.receive<int>(0) == 77);
                             }).trace.text();
    CHECK(text.find(" us rank 0 starts\n") != std::string::npos);
    CHECK(text.find(" us rank 0 sends to 1: data, 7 ints (2 ") != std::string::npos);
    CHECK(text.find(" us rank 1 takes from 0: data, 7 ints (2 ") != std::string::npos);
}

TEST_CASE("Simulation: impossible numbers of ranks are refused") {
    CHECK_THROWS_AS(simulate(0, 1, [](Connector&) {}), UsageError);
    CHECK_THROWS_AS(simulate(-1, 1, [](Connector&) {}), UsageError);
    CHECK_THROWS_AS(simulate(2, optionsOf(1, {{2, 1, Fault::Kind::Kill}}), [](Connector&) {}), UsageError);
}

TEST_CASE("Simulation: it runs once") {
    detail::Simulation simulation(2, optionsOf(1));
    static_cast<void>(simulation.run([](int) {}));
    CHECK_THROWS_AS(simulation.run([](int) {}), UsageError);
}
