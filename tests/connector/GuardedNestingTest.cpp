#include <ferry/tests/connector/GuardedRegion.hpp>

#include <stdexcept>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/connector/TestMessages.hpp>

using namespace ferry;
using namespace ferry::test;

TEST_CASE("guarded: an inner region may fail, and the outer one goes on") {
    onRanks([](Connector& c) {
        const int sum = c.guarded([&] {
            c.barrier();
            checkOneFailure(c,
                            failuresOf(c,
                                       [&] {
                                           c.broadcast(1);
                                           throwOnLast(c);
                                           c.barrier();
                                       }),
                            "matrix is singular");
            return c.allReduce(1, Sum{});
        });
        CHECK(sum == c.size());
        checkUsable(c);
    });
}

TEST_CASE("guarded: an outer region that fails ends the inner ones, whether ranks are in them or not") {
    onRanks(
        [](Connector& c) {
            for (int round = 0; round < 3; ++round) {
                const ExceptionList failures = failuresOf(c, [&] {
                    throwOnLast(c);
                    c.guarded([&] {
                        if (round == 0) return;    // this rank waits at the end of the inner region
                        c.guarded([&] { c.receive<int>(lastRank(c)); });
                    });
                    c.barrier();
                });
                checkOneFailure(c, failures, "matrix is singular");
            }
        },
        2);
}

TEST_CASE("guarded: when inner and outer regions fail at the same time, all failures are told") {
    onRanks(
        [](Connector& c) {
            const ExceptionList failures = failuresOf(c, [&] {
                throwOnLast(c);
                c.guarded([&] {
                    if (c.rank() == 0) throw std::out_of_range("row 7");
                    c.barrier();
                });
            });
            REQUIRE(failures.size() == 2);
            CHECK(failures.of<std::out_of_range>().size() == 1);
            CHECK(failures.of<std::domain_error>().size() == 1);
            checkUsable(c);
        },
        2);
}

TEST_CASE("guarded: a list that leaves an outer region is told once, with the failures themselves") {
    onRanks([](Connector& c) {
        const ExceptionList failures = failuresOf(c, [&] {
            c.guarded([&] {
                throwOnLast(c);
                c.barrier();
            });
        });
        checkOneFailure(c, failures, "matrix is singular");
        CHECK(failures.front().as<std::domain_error>() != nullptr);
    });
}

TEST_CASE("guarded: a rank that swallows the failure gets it again from its next call, and leaves the region") {
    onRanks(
        [](Connector& c) {
            int wakes = 0;
            const ExceptionList failures = failuresOf(c, [&] {
                throwOnLast(c);
                for (int i = 0; i < 3; ++i) {
                    try {
                        c.barrier();
                    } catch (...) {
                        ++wakes;
                    }
                }
            });
            CHECK(wakes == (c.rank() == lastRank(c) ? 0 : 3));
            checkOneFailure(c, failures, "matrix is singular");
        },
        2);
}

TEST_CASE("guarded: destructors that send and wait on the way out neither hang nor throw") {
    struct Farewell {
        Connector& c;
        ~Farewell() {
            c.send(nextRank(c), Ping(1));
            c.barrier();
            c.poll();
            c.flush();
        }
    };
    onRanks([](Connector& c) {
        const ExceptionList failures = failuresOf(c, [&] {
            const Farewell farewell{c};
            throwOnLast(c);
            c.receive<int>(lastRank(c));
        });
        checkOneFailure(c, failures, "matrix is singular");
        c.send(nextRank(c), Ping(2));
        CHECK(c.receive<Ping>(previousRank(c)).number == 2);    // the pings of the failed region are gone
    });
}

TEST_CASE("guarded: a destructor that waits while an exception passes fails the region, though the exception is caught inside") {
    struct Meeting {
        Connector& c;
        ~Meeting() { c.barrier(); }
    };
    onRanks(
        [](Connector& c) {
            const ExceptionList failures = failuresOf(c, [&] {
                try {
                    if (c.rank() == lastRank(c)) {
                        const Meeting meeting{c};
                        throwOnLast(c);
                    }
                } catch (const std::domain_error&) {}
                c.barrier();
            });
            REQUIRE(failures.size() == 1);
            CHECK(failures.front().rank() == lastRank(c));
            CHECK(failures.front().as<UsageError>() != nullptr);
            checkUsable(c);
        },
        2);
}
