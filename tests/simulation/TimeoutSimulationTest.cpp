#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/serialization/exception/xassert.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace timeoutsimulationtest {

struct Node {
    int value = 0;
    Node* next = nullptr;
    FERRY_FIELDS(value, next)
};

/// Spends some simulated time with something else.
void beBusy(Connector& c, std::chrono::microseconds time) {
    try {
        c.receive<double>(AnyRank, Deadline::in(time));
    } catch (const TimeoutError&) {}
}

Deadline drawDeadline(SeededRandom& random) {
    switch (random.below(4)) {
        case 0: return Deadline::never();
        case 1: return Deadline::in(0s);
        default: return Deadline::in(std::chrono::microseconds(random.below(100'000)));
    }
}

std::vector<int> numbersOf(const Connector& c, int step) {
    std::vector<int> numbers;
    for (int rank = 0; rank < c.size(); ++rank) numbers.push_back(100 * step + rank);
    return numbers;
}

/// Runs one collective. Checks its values if there are any.
void doCollective(Connector& c, std::uint64_t which, int root, int step, Deadline deadline) {
    const std::vector<int> numbers = numbersOf(c, step);
    const int own = numbers[static_cast<std::size_t>(c.rank())];
    const int total = c.size() * 100 * step + c.size() * (c.size() - 1) / 2;
    switch (which) {
        case 0: return c.barrier(deadline);
        case 1: xassert(c.broadcast(own, root, deadline) == 100 * step + root); return;
        case 2: {
            const std::vector<int> all = c.gather(own, root, deadline);
            xassert(c.rank() == root ? all == numbers : all.empty());
            return;
        }
        case 3: xassert(c.allReduce(own, Sum{}, deadline) == total); return;
        case 4: {
            const int reduced = c.reduce(own, Sum{}, root, deadline);
            xassert(reduced == (c.rank() == root ? total : 0));
            return;
        }
        case 5: xassert(c.allGather(own, deadline) == numbers); return;
        case 6: xassert(c.scatter(numbers, root, deadline) == own); return;
        case 7: xassert(c.allToAll(std::vector<int>(numbers.size(), own), deadline) == numbers); return;
        case 8: xassert(c.scan(1, Sum{}, deadline) == c.rank() + 1); return;
        default: {
            std::vector<Node> nodes(20);
            for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = {step, &nodes[(i + 1) % nodes.size()]};
            const auto copy = c.broadcastGraph(graph(nodes.data(), 64), root, GraphMemory::Heap, deadline);
            xassert(copy->value == step);
            return;
        }
    }
}

/// Checks that all letters to this rank have been received, and none is left over.
void expectNothingLeft(Connector& c) {
    for (int rank = 0; rank < c.size(); ++rank) c.send(rank, 'e');
    for (int rank = 0; rank < c.size(); ++rank) xassert(c.receive<char>(rank) == 'e');
    xassert(detail::mailboxOf(c).arrived().size() == 0u);
}

/// Runs collectives with deadlines of all kinds. The ranks come at random times.
void collectives(Connector& c, std::uint64_t seed) {
    SeededRandom common(seed);
    SeededRandom own(seed + 1000 * static_cast<std::uint64_t>(c.rank() + 1));
    for (int step = 1; step <= 12; ++step) {
        const std::uint64_t which = common.below(10);
        const auto root = static_cast<int>(common.below(static_cast<std::uint64_t>(c.size())));
        if (own.oneIn(3)) beBusy(c, std::chrono::microseconds(own.below(50'000)));
        try {
            doCollective(c, which, root, step, drawDeadline(own));
        } catch (const TimeoutError& error) {
            xassert(error.ranks().size() >= 1u);
        }
    }
    c.barrier();
    xassert(c.allGather(c.rank()).size() == static_cast<std::size_t>(c.size()));
    expectNothingLeft(c);
}

/// Sends numbers and graphs, and waits for them repeatedly with deadlines.
void streams(Connector& c, std::uint64_t seed) {
    SeededRandom own(seed + 1000 * static_cast<std::uint64_t>(c.rank() + 1));
    const int to = (c.rank() + 1) % c.size();
    const int from = (c.rank() + c.size() - 1) % c.size();
    std::vector<Node> nodes(30);
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = {static_cast<int>(i), &nodes[(i + 1) % nodes.size()]};
    const auto retry = [&own](const auto& receive) {
        for (;;) {
            try {
                return receive(drawDeadline(own));
            } catch (const TimeoutError&) {}
        }
    };
    for (int step = 0; step < 6; ++step) {
        if (own.oneIn(3)) beBusy(c, std::chrono::microseconds(own.below(50'000)));
        Pending<void> leaving = c.post(to, graph(nodes.data(), 64));
        Pending<int> expected = c.expect<int>(from);
        c.send(to, step);
        c.send(to, -step);
        xassert(retry([&](Deadline d) { return expected.get(d); }) == step);
        xassert(retry([&](Deadline d) { return c.receive<int>(from, d); }) == -step);
        const auto copy = retry([&](Deadline d) { return c.receiveGraph<Node>(from, GraphMemory::Heap, d); });
        const Node* node = copy.root();
        for (int i = 0; i < 30; ++i, node = node->next) xassert(node->value == i);
        retry([&](Deadline d) {
            leaving.get(d);
            return 0;
        });
    }
    c.barrier();
    expectNothingLeft(c);
}

/// Runs regions in which calls reach their deadlines on some ranks.
void regions(Connector& c, std::uint64_t seed) {
    SeededRandom common(seed);
    SeededRandom own(seed + 1000 * static_cast<std::uint64_t>(c.rank() + 1));
    for (int step = 1; step <= 6; ++step) {
        const std::uint64_t which = common.below(10);
        const auto length = std::chrono::microseconds(common.below(200'000));
        try {
            c.guarded(
                [&] {
                    if (own.oneIn(3)) beBusy(c, std::chrono::microseconds(own.below(300'000)));
                    doCollective(c, which, 0, step, drawDeadline(own));
                    c.barrier();
                },
                Deadline::in(10s + length));
        } catch (const ExceptionList& failures) {
            xassert(failures.of<TimeoutError>().size() == failures.size());
        }
    }
    c.barrier();
    expectNothingLeft(c);
}

SimulationResult runProgram(std::uint64_t seed, void (*program)(Connector&, std::uint64_t)) {
    return simulate(rankCountFor(seed), seed, [&](Connector& c) { program(c, seed); });
}

}    // namespace timeoutsimulationtest

using namespace timeoutsimulationtest;

TEST_CASE("Deadlines under simulation: collectives that are given up on any rank leave all ranks in step, and nothing behind") {
    Seeds::forEach(1500, [](std::uint64_t seed) {
        const SimulationResult result = runProgram(seed, collectives);
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
    });
}

TEST_CASE("Deadlines under simulation: what was waited for in vain arrives whole and in order") {
    Seeds::forEach(500, [](std::uint64_t seed) {
        const SimulationResult result = runProgram(seed, streams);
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
    });
}

TEST_CASE("Deadlines under simulation: guarded regions fail for all when a call in them comes to its deadline, and all go on") {
    Seeds::forEach(500, [](std::uint64_t seed) {
        const SimulationResult result = runProgram(seed, regions);
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
    });
}

TEST_CASE("Deadlines under simulation: the rank that never comes to the end of a guarded region is named on every rank") {
    Seeds::forEach(500, [](std::uint64_t seed) {
        const int absent = static_cast<int>(seed % static_cast<std::uint64_t>(rankCountFor(seed)));
        const SimulationResult result = simulate(rankCountFor(seed), seed, [absent](Connector& c) {
            for (int round = 0; round < 3; ++round) {    // every later call names the rank too
                try {
                    if (c.rank() == absent) static_cast<void>(c.receive<double>(c.rank()));
                    c.guarded([] {}, Deadline::in(20s));
                    xassert(false);
                } catch (const TimeoutError& error) {
                    xassert(error.ranks() == std::vector<int>{absent});
                }
            }
            detail::mailboxOf(c).pumpUntil([] { return false; }, c.now() + 1min);    // so that no rank leaves before all know
        });
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
    });
}

TEST_CASE("Deadlines under simulation: waits take their time, and no more") {
    Seeds::forEach(100, [](std::uint64_t seed) {
        const auto result = simulate(2, seed, [](Connector& c) {
            const auto begin = c.now();
            try {
                c.receive<int>(1 - c.rank(), Deadline::in(10min));
            } catch (const TimeoutError& error) {
                const auto waited = c.now() - begin;
                detail::mailboxOf(c).pumpUntil([] { return false; }, c.now() + 1min);    // the other rank may have begun later
                xassert(error.ranks() == std::vector<int>{1 - c.rank()});
                return waited >= 10min && waited < 10min + 1s && error.waited() >= 10min;
            }
            return false;
        });
        REQUIRE(result.values == std::vector<std::optional<bool>>{true, true});
    });
}

TEST_CASE("Deadlines under simulation: who sends a graph to a rank that takes nothing in gives up, and the receiver is told") {
    Seeds::forEach(50, [](std::uint64_t seed) {
        const SimulationResult result = simulate(2, seed, [](Connector& c) {
            std::vector<Node> nodes(50);
            for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = {1, &nodes[(i + 1) % nodes.size()]};
            if (c.rank() == 0) {
                bool hasTimedOut = false;
                try {
                    c.send(1, graph(nodes.data(), 64), Deadline::in(0s));
                } catch (const TimeoutError& error) {
                    hasTimedOut = true;
                    xassert(error.ranks() == std::vector<int>{1});
                }
                c.send(1, hasTimedOut);
                return;
            }
            bool isTold = false;
            try {
                static_cast<void>(c.receiveGraph<Node>(0));
            } catch (const TimeoutError& error) {
                isTold = error.isRemote();
            }
            xassert(isTold == c.receive<bool>(0));
        });
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
    });
}

TEST_CASE("Started collectives under simulation: ranks whose programs end at once do their part in what others wait for") {
    Seeds::forEach(200, [](std::uint64_t seed) {
        SimulationOptions options;
        options.seed = seed;
        const SimulationResult result = simulate(rankCountFor(seed), options, [](Connector& c) {
            Pending<int> total = c.startAllReduce(1, Sum{});
            Pending<std::vector<int>> all = c.startAllGather(c.rank());
            if (c.rank() % 2 == 0) return;
            xassert(total.get() == c.size());
            xassert(all.get() == numbersOf(c, 0));
        });
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
    });
}

TEST_CASE("Started collectives under simulation: with deadlines of all kinds every value is taken in the end") {
    Seeds::forEach(400, [](std::uint64_t seed) {
        SimulationOptions options;
        options.seed = seed;
        const SimulationResult result = simulate(rankCountFor(seed), options, [seed](Connector& c) {
            SeededRandom own(seed + 1000 * static_cast<std::uint64_t>(c.rank() + 1));
            for (int step = 1; step <= 8; ++step) {
                if (own.oneIn(3)) beBusy(c, std::chrono::microseconds(own.below(50'000)));
                Pending<int> prefix = c.startScan(1, Sum{});
                Pending<std::vector<int>> all = c.startAllGather(numbersOf(c, step)[static_cast<std::size_t>(c.rank())]);
                while (all.isUnderWay()) {
                    try {
                        xassert(all.get(drawDeadline(own)) == numbersOf(c, step));
                    } catch (const TimeoutError& error) {
                        xassert(error.ranks().size() == 1u);
                    }
                }
                xassert(prefix.get() == c.rank() + 1);
            }
            c.barrier();
            expectNothingLeft(c);
        });
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
    });
}
