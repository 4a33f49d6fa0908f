#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

TEST_CASE("ordered: each rank runs the function when the one before it has") {
    onRanks([](Connector& c) {
        for (int round = 0; round < 3; ++round) {
            std::vector<int> seen;
            c.ordered([&] {
                if (c.rank() > 0) seen = c.receive<std::vector<int>>(c.rank() - 1, Deadline::in(std::chrono::seconds(0)));    // is here
                seen.push_back(c.rank());
                if (c.rank() + 1 < c.size()) c.send(c.rank() + 1, seen);
                c.flush();
            });
            CHECK(seen.size() == static_cast<std::size_t>(c.rank()) + 1);
            CHECK(c.allReduce(1, Sum{}) == c.size());
        }
    });
}

TEST_CASE("ordered: what a rank throws is thrown on every rank, and those behind it do not run") {
    onRanks([](Connector& c) {
        const int thrower = c.size() / 2;
        bool hasRun = false;
        const auto print = [&] {
            hasRun = true;
            if (c.rank() == thrower) throw std::out_of_range("no paper");
        };
        CHECK_THROWS_WITH_AS(c.ordered(print), "no paper", std::out_of_range);
        CHECK(hasRun == (c.rank() <= thrower));
        c.ordered([&] { hasRun = false; });
        CHECK_FALSE(hasRun);
    });
}

TEST_CASE("ordered: a rank that fails elsewhere in a guarded region wakes those that wait for their turn") {
    onRanks([](Connector& c) {
        CHECK_THROWS_AS(c.guarded([&] {
            if (c.isMaster()) throw std::runtime_error("planned");
            c.ordered([] {});
        }),
                        ExceptionList);
        c.ordered([] {});
    });
}

TEST_CASE("ordered: waits until its deadline for a rank that does not come") {
    onRanks(
        [](Connector& c) {
            if (c.rank() != 0) {
                CHECK_THROWS_AS(c.ordered([] {}, Deadline::in(std::chrono::milliseconds(5))), TimeoutError);
                c.send(0, c.rank());
            } else {
                for (int rank = 1; rank < c.size(); ++rank) CHECK(c.receive<int>(rank) == rank);
                CHECK_THROWS_AS(c.ordered([] {}), TimeoutError);    // the reason why the other ranks gave up
            }
            c.barrier();
        },
        2);
}
