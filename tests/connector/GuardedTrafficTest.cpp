#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>
#include <ferry/connector/message/state/Regions.hpp>
#include <ferry/tests/connector/GuardedRegion.hpp>

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/tests/connector/GuardedCampaign.hpp>
#include <ferry/tests/connector/TestMessages.hpp>
#include <ferry/tests/support/Sanitizers.hpp>

using namespace ferry;
using namespace ferry::test;

TEST_CASE("guarded: letters from before the region survive its failure, those of the region do not") {
    onRanks([](Connector& c) {
        for (int round = 0; round < 5; ++round) {
            c.send(nextRank(c), Ping(round));
            const ExceptionList failures = failuresOf(c, [&] {
                c.send(nextRank(c), Ping(100 + round));
                c.send(nextRank(c), std::vector<int>(50'000, 1));    // a large message, which travels longer
                c.throwOn(nextRank(c), std::logic_error("of the region"));
                throwOnLast(c);
            });
            REQUIRE(failures.size() >= 1);
            c.send(nextRank(c), Ping(1000 + round));
            CHECK(c.receive<Ping>(previousRank(c)).number == round);
            CHECK(c.receive<Ping>(previousRank(c)).number == 1000 + round);
            c.barrier();
            c.poll();
            CHECK_FALSE(
                detail::mailboxOf(c).arrived().take(detail::Filter({detail::MessageKind::Object, detail::MessageKind::Value})).has_value());
            c.barrier();    // no rank sends again before all ranks have looked
        }
    });
}

TEST_CASE("guarded: letters of a region that did not fail can be received after it") {
    onRanks([](Connector& c) {
        c.guarded([&] { c.send(nextRank(c), Ping(5)); });
        failuresOf(c, [&] { throwOnLast(c); });
        CHECK(c.receive<Ping>(previousRank(c)).number == 5);
    });
}

TEST_CASE("guarded: an exception of an operator on one rank is the failure of that rank alone") {
    onRanks(
        [](Connector& c) {
            for (int round = 0; round < 10; ++round) {
                const ExceptionList failures = failuresOf(c, [&] {
                    c.allReduce(1, [&c](int left, int right) -> int {
                        if (c.rank() == 0) throw std::underflow_error("in the operator");
                        return left + right;
                    });
                    c.barrier();
                });
                REQUIRE(failures.size() == 1);
                CHECK(failures.front().rank() == 0);
                CHECK(failures.front().ranks() == std::vector<int>{0});
            }
        },
        2);
}

TEST_CASE("guarded: a collective in a destructor that an exception runs adds no mismatch") {
    struct Reducer {
        Connector& c;
        ~Reducer() {
            try {
                c.allReduce(1, Sum{});
                c.gather(1, c.size() - 1);
            } catch (const std::exception&) {}    // the exception is RegionFailed
        }
    };
    onRanks(
        [](Connector& c) {
            for (int round = 0; round < 20; ++round) {
                const ExceptionList failures = failuresOf(c, [&] {
                    const Reducer reducer{c};
                    if (c.rank() == round % c.size()) throw std::underflow_error("on the way out");
                    c.barrier();
                });
                REQUIRE(failures.size() == 1);
                CHECK(failures.front().rank() == round % c.size());
            }
            checkUsable(c);
        },
        2);
}

TEST_CASE("guarded: an exception of throwOn is told with the rank that called throwOn") {
    onRanks(
        [](Connector& c) {
            const ExceptionList failures = failuresOf(c, [&] {
                if (c.rank() == 0) c.throwOn(lastRank(c), std::underflow_error("from rank 0"));
                c.receive<int>(previousRank(c));
            });
            REQUIRE(failures.size() == 1);
            CHECK(failures.front().rank() == 0);
            CHECK(failures.front().ranks() == std::vector<int>{0});
            CHECK(failures.front().origin().rank == 0);
            checkUsable(c);
        },
        2);
}

TEST_CASE("guarded: when the job is stopped every rank leaves at once") {
    onRanksThatFail(
        [](Connector& c) {
            if (c.rank() == lastRank(c)) {    // the last rank does not enter the region
                for (int rank = 0; rank < lastRank(c); ++rank) {
                    detail::mailboxOf(c).post(rank, detail::Channel::Control, detail::Envelope{detail::MessageKind::Stop, 0, 3},
                                              [](IntWriter& out) { out << std::string("test"); });
                }
                c.flush();
                return;
            }
            CHECK_THROWS_AS(c.guarded([] {}), Terminated);
            CHECK_THROWS_AS(c.guarded([] {}), Terminated);
        },
        2);
}

TEST_CASE("guarded: a rank that waits for a rank that has left gets RankHasLeft") {
    onRanksThatFail(
        [](Connector& c) {
            if (c.rank() != lastRank(c)) CHECK_THROWS_AS(c.guarded([] {}), RankHasLeft);
            detail::mailboxOf(c).departures().sayFarewell();
            c.flush();
        },
        2);
}

TEST_CASE("guarded: an ExceptionList travels as an ExceptionList, by itself and as a cause") {
    onRanks(
        [](Connector& c) {
            const ExceptionList failures = failuresOf(c, [&] { throwOnLast(c); });
            if (c.rank() == 0) {
                c.throwOn(lastRank(c), failures);
                try {
                    try {
                        throw failures;
                    } catch (...) {
                        std::throw_with_nested(std::runtime_error("solving"));
                    }
                } catch (...) {
                    c.throwOn(lastRank(c), std::current_exception());
                }
            } else if (c.rank() == lastRank(c)) {
                try {
                    c.receive<int>(0);
                } catch (const ExceptionList& list) {
                    CHECK(list.isRemote());
                    CHECK(list.what() == std::string(failures.what()));
                    CHECK(list.front().as<std::domain_error>() != nullptr);
                }
                try {
                    c.receive<int>(0);
                } catch (const std::runtime_error& error) {
                    CHECK_THROWS_AS(std::rethrow_if_nested(error), ExceptionList);
                }
            }
            c.barrier();
        },
        2);
}

TEST_CASE("guarded: hundreds of regions in a row with random failures, and the connector is usable after each") {
    onRanks([](Connector& c) {
        for (const std::string& problem : runGuardedCampaign(c, {.seed = 20'261'121, .regions = isSanitized ? 50 : 200}))
            FAIL_CHECK(problem);
    });
}

TEST_CASE("guarded: the memory for failed regions stays small") {
    onRanks([](Connector& c) {
        for (int round = 0; round < (isSanitized ? 400 : 1000); ++round) {
            failuresOf(c, [&] {
                if (c.rank() == round % c.size()) throw 1;
            });
            c.guarded([] {});
        }
        CHECK(detail::mailboxOf(c).regions().rememberedRanges() < 300);
    });
}

TEST_CASE("guarded: a receive expected before the region gets no message of the failed region, and loses none from before") {
    onRanks([](Connector& c) {
        Pending<Ping> expected = c.expect<Ping>(previousRank(c));
        auto expectedGraph = c.expectGraph<Ping>(previousRank(c));
        const ExceptionList failures = failuresOf(c, [&] {
            const Ping own(1);
            c.send(nextRank(c), own);
            c.send(nextRank(c), ferry::graph(&own));
            c.barrier();
            throwOnLast(c);
            c.barrier();
        });
        REQUIRE(failures.size() == 1);
        const Ping own(2);
        c.send(nextRank(c), own);
        c.send(nextRank(c), ferry::graph(&own));
        CHECK(expected.get().number == 2);
        CHECK(expectedGraph.get()->number == 2);
    });
}

TEST_CASE("guarded: a receive expected before the region gets messages of ranks that have left the region already") {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const auto result = simulate(7, seed, [](Connector& c) {
            Pending<Ping> expected = c.expect<Ping>(previousRank(c));
            static_cast<void>(failuresOf(c, [&] {
                c.send(nextRank(c), Ping(1));
                c.barrier();
                throwOnLast(c);
                c.barrier();
            }));
            c.send(nextRank(c), Ping(2));
            const bool isRight = expected.get().number == 2;
            c.close();
            return isRight;
        });
        REQUIRE_MESSAGE(result.haveAllReturned(), "seed ", seed, ": ", result.describe());
        for (const auto& isRight : result.values) REQUIRE(isRight == true);
    }
}

TEST_CASE("guarded: a graph that was posted before the region goes on in it, and arrives whole though the region fails") {
    onRanks([](Connector& c) {
        std::vector<std::vector<int>> columns(40, std::vector<int>(5'000, c.rank()));
        Pending<void> posted = c.post(nextRank(c), ferry::graph(&columns, 4096));
        const ExceptionList failures = failuresOf(c, [&] {
            c.barrier();
            throwOnLast(c);
            c.barrier();
        });
        REQUIRE(failures.size() == 1);
        const auto arrived = c.receiveGraph<std::vector<std::vector<int>>>(previousRank(c));
        posted.get();
        CHECK(*arrived == std::vector<std::vector<int>>(40, std::vector<int>(5'000, previousRank(c))));
    });
}
