#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/tests/connector/GuardedRegion.hpp>
#include <ferry/tests/connector/TestMessages.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace deadlocktest {

/// Calls the function, which has to throw a Deadlock. Returns the Deadlock.
template <class Call>
Deadlock deadlockOf(const Call& call) {
    try {
        call();
    } catch (const Deadlock& deadlock) {
        return deadlock;
    }
    FAIL_CHECK("the call returned");
    return Deadlock();
}

/// Checks that the deadlock names all rankCount ranks, each once, in ascending order.
void checkNamesAll(const Deadlock& deadlock, int rankCount) {
    REQUIRE(deadlock.ranks().size() == static_cast<std::size_t>(rankCount));
    for (int rank = 0; rank < rankCount; ++rank) CHECK(deadlock.ranks()[static_cast<std::size_t>(rank)].rank == rank);
}

const detail::Awaited& awaitedBy(const Deadlock& deadlock, int rank) { return deadlock.ranks().at(static_cast<std::size_t>(rank)).awaited; }

}    // namespace deadlocktest

using namespace deadlocktest;

TEST_CASE("Deadlock: ranks that wait for each other in a circle are told who waits for whom, again and again, and can go on") {
    onRanks([](Connector& c) {
        c.findDeadlocksAfter(2ms);
        for (int round = 0; round < 3; ++round) {
            const Deadlock deadlock = deadlockOf([&] { c.receive<int>(previousRank(c)); });
            checkNamesAll(deadlock, c.size());
            CHECK(awaitedBy(deadlock, c.rank()).ranks == std::vector<int>{previousRank(c)});
            const std::string line = "\n  rank " + std::to_string(c.rank()) + " waits for a value of type int from rank ";
            CHECK(std::string(deadlock.what()).find(line + std::to_string(previousRank(c))) != std::string::npos);
            checkUsable(c);
        }
    });
}

TEST_CASE("Deadlock: calls beside a wait, again and again, neither end the wait nor hide a deadlock") {
    onRanks([](Connector& c) {
        c.findDeadlocksAfter(20ms);
        int count = 0;
        const detail::BesideWait beside{[] { return detail::Mailbox::Clock::time_point::min(); },
                                        [&count](detail::Mailbox::Clock::time_point) { ++count; }};
        const auto wait = [&] {
            detail::mailboxOf(c).awaitLetter(
                detail::Filter({detail::MessageKind::Registry}),
                [] {
                    return detail::Awaited{{}, "a request"};
                },
                detail::Mailbox::Clock::time_point::max(), detail::Waiter::Call, &beside);
        };
        CHECK(awaitedBy(deadlockOf(wait), c.rank()).what == "a request");
        CHECK(count > 1);
        checkUsable(c);
    });
}

TEST_CASE("Deadlock: two ranks wait for each other while the others wait in a collective") {
    onRanks(
        [](Connector& c) {
            c.findDeadlocksAfter(2ms);
            if (c.rank() < 2) {
                const Deadlock deadlock = deadlockOf([&] { c.receive<Ping>(1 - c.rank()); });
                checkNamesAll(deadlock, c.size());
                CHECK(awaitedBy(deadlock, 0).what == "a message of class ferry::test::Ping from rank 1");
            }
            try {
                const int count = c.allReduce(1, Sum{});
                CHECK(count == c.size());    // with letters, all that these two ranks need was sent before the others gave up
            } catch (const Deadlock& deadlock) {
                checkNamesAll(deadlock, c.size());
            }
            checkUsable(c);
        },
        3);
}

TEST_CASE("Deadlock: one rank receives where the others are in a collective") {
    onRanks(
        [](Connector& c) {
            c.findDeadlocksAfter(2ms);
            if (c.rank() == lastRank(c)) static_cast<void>(deadlockOf([&] { c.receive(0); }));
            try {
                const int count = c.allReduce(1, Sum{});
                CHECK(count == c.size());    // the last rank came before this rank heard of the deadlock
            } catch (const Deadlock& deadlock) {
                checkNamesAll(deadlock, c.size());
            }
            checkUsable(c);
        },
        2);
}

TEST_CASE("Deadlock: a rank that waits in a guarded region for others who are at its end fails it, and all go on") {
    onRanks([](Connector& c) {
        c.findDeadlocksAfter(2ms);
        const ExceptionList failures = failuresOf(c, [&] {
            if (c.rank() == lastRank(c)) c.receive<int>();
        });
        REQUIRE(failures.size() == 1);
        CHECK(failures.front().ranks() == std::vector<int>{lastRank(c)});
        const auto* deadlock = failures.front().as<Deadlock>();
        REQUIRE(deadlock != nullptr);
        checkNamesAll(*deadlock, c.size());
        for (int rank = 0; rank < lastRank(c); ++rank)
            CHECK(awaitedBy(*deadlock, rank).what.find("at the end of a guarded region") != std::string::npos);
        checkUsable(c);
    });
}

TEST_CASE("Deadlock: ranks that are at the ends of different guarded regions can never meet") {
    onRanksThatFail(
        [](Connector& c) {
            c.findDeadlocksAfter(2ms);
            static_cast<void>(deadlockOf([&] {
                c.guarded([&] {
                    if (c.rank() == lastRank(c)) c.guarded([] {});
                });
            }));
            static_cast<void>(deadlockOf([&] { c.barrier(); }));    // every later call throws a Deadlock too
        },
        2);
}

TEST_CASE("Deadlock: a rank that waits with a deadline can go on, so no deadlock is found") {
    onRanks([](Connector& c) {
        c.findDeadlocksAfter(0ms);
        if (c.isMaster()) {
            CHECK_THROWS_AS(c.receive<int>(lastRank(c), Deadline::in(20ms)), TimeoutError);
            for (int rank = 0; rank < c.size(); ++rank) c.send(rank, 5);
        }
        CHECK(c.receive<int>(0) == 5);
        checkUsable(c);
    });
}

TEST_CASE("Deadlock: ranks that have left are not waited for, and those that are left are told") {
    onRanksThatFail(
        [](Connector& c) {
            c.findDeadlocksAfter(2ms);
            c.barrier();
            if (c.isMaster()) {
                c.send(1, 1);
                return detail::mailboxOf(c).departures().sayFarewell();
            }
            if (c.rank() == 1) CHECK(c.receive<int>(0) == 1);
            const int other = c.rank() == lastRank(c) ? 1 : lastRank(c);
            if (other == c.rank()) return;
            if (c.rank() == 1 || c.rank() == lastRank(c)) {
                const Deadlock deadlock = deadlockOf([&] { c.receive<int>(other); });
                CHECK(deadlock.ranks().front().rank == 1);
                CHECK(deadlock.ranks().back().rank == lastRank(c));
                c.send(other, "heard of it");    // without this message, a farewell could arrive before the verdict that tells the other
                                                 // rank
                CHECK(c.receive<std::string>(other) == "heard of it");
                return detail::mailboxOf(c).departures().sayFarewell();
            }
            CHECK_THROWS_AS(c.receive<int>(0), RankHasLeft);
            detail::mailboxOf(c).departures().sayFarewell();
        },
        3);
}

TEST_CASE("Deadlock: the last rank has left, and the others who wait for each other are told") {
    onRanksThatFail(
        [](Connector& c) {
            c.findDeadlocksAfter(2ms);
            if (c.rank() == lastRank(c)) return detail::mailboxOf(c).departures().sayFarewell();
            const int behind = (c.rank() + lastRank(c) - 1) % lastRank(c);
            checkNamesAll(deadlockOf([&] { c.receive<int>(behind); }), lastRank(c));
            // Nobody leaves before all have heard: a farewell could arrive before the verdict.
            for (int other = 0; other < lastRank(c); ++other) c.send(other, "heard of it");
            for (int other = 0; other < lastRank(c); ++other) CHECK(c.receive<std::string>(other) == "heard of it");
            detail::mailboxOf(c).departures().sayFarewell();
        },
        3);
}

TEST_CASE("Deadlock: letters that come late are no reason to give up") {
    onRanks([](Connector& c) {
        c.findDeadlocksAfter(0ms);
        for (int round = 0; round < 200; ++round) {
            c.send(nextRank(c), round);
            CHECK(c.receive<int>(previousRank(c)) == round);
            if (round % 10 == 0) CHECK(c.allReduce(round, Max{}) == round);
            if (round % 10 == 5) c.guarded([&] { CHECK(c.broadcast(round, lastRank(c)) == round); });
        }
    });
}
