#include <ferry/connector/transport/simulation/Fault.hpp>

#include <cstdint>
#include <exception>
#include <new>
#include <set>

#include <doctest/doctest.h>

#include <ferry/connector/simulate.hpp>
#include <ferry/connector/transport/simulation/Simulation.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

using namespace ferry;

TEST_CASE("Fault: seeds choose every kind, every rank and every call") {
    std::set<Fault::Kind> kinds;
    std::set<int> ranks;
    std::set<std::uint64_t> calls;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const Fault fault = faultFromSeed(seed, 3, 5);
        kinds.insert(fault.kind);
        ranks.insert(fault.rank);
        calls.insert(fault.atCall);
        CHECK(faultFromSeed(seed, 3, 5).atCall == fault.atCall);
    }
    CHECK(kinds.size() == 3);
    CHECK(ranks == std::set<int>{0, 1, 2});
    CHECK(calls == std::set<std::uint64_t>{1, 2, 3, 4, 5});
}

TEST_CASE("Fault: without ranks or calls no fault can be chosen") {
    CHECK_THROWS_WITH_AS(faultFromSeed(1, 0, 5), "a fault needs at least one rank, not 0", UsageError);
    CHECK_THROWS_WITH_AS(faultFromSeed(1, -1, 5), "a fault needs at least one rank, not -1", UsageError);
    CHECK_THROWS_WITH_AS(faultFromSeed(1, 3, 0), "a fault needs at least one call, not 0", UsageError);
}

TEST_CASE("Fault: a fault that could never happen is refused when the simulation starts") {
    const auto start = [](Fault fault) {
        SimulationOptions options;
        options.faults = {fault};
        const detail::Simulation simulation(2, options);
    };
    start({.rank = 1, .atCall = 1});
    CHECK_THROWS_WITH_AS(start({.rank = 1, .atCall = 0}), "a fault on rank 1 at call 0, but calls are counted from 1", UsageError);
    CHECK_THROWS_WITH_AS(start({.rank = 2, .atCall = 1}), "a fault on rank 2, but there are 2 ranks", UsageError);
    CHECK_THROWS_WITH_AS(start({.rank = -1, .atCall = 1}), "a fault on rank -1, but there are 2 ranks", UsageError);
}

TEST_CASE("Fault: a send that lacks memory has sent nothing, so that it can be repeated") {
    constexpr int count = 20;    // a rank looks for letters behind its 16th send
    for (std::uint64_t call = 1; call <= count + 2; ++call) {
        SimulationOptions options;
        options.seed = call;
        options.faults = {{0, call, Fault::Kind::Throw, std::make_exception_ptr(std::bad_alloc())}};
        const auto result = simulate(2, options, [](Connector& c) {
            if (c.rank() == 1) {
                int inOrder = 0;
                while (c.receive<int>(0) == inOrder) ++inOrder;
                return inOrder;
            }
            for (int i = 0; i <= count; ++i) {
                const int next = i < count ? i : -1;
                try {
                    c.send(1, next);
                } catch (const std::bad_alloc&) {
                    c.send(1, next);
                }
            }
            return count;
        });
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
        CHECK_MESSAGE(result.values[1] == count, "without memory in call ", call);
    }
}
