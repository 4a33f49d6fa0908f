#include <ferry/connector/message/PendingPool.hpp>

#include <array>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

TEST_CASE("waitAll: the values of all operations, in the order of the row") {
    onRanks([](Connector& c) {
        std::vector<Pending<int>> arriving;
        for (int rank = 0; rank < c.size(); ++rank) arriving.push_back(c.expect<int>(rank));
        std::array<Pending<void>, 2> leaving{c.post(c.rank(), std::string("own")), c.post(c.rank(), 0.5)};
        for (int rank = c.size() - 1; rank >= 0; --rank) c.send(rank, 10 * c.rank());
        const std::vector<int> values = waitAll(arriving);
        for (int rank = 0; rank < c.size(); ++rank) CHECK(values[static_cast<std::size_t>(rank)] == 10 * rank);
        waitAll(leaving);
        CHECK_FALSE(leaving[0].isUnderWay());
        CHECK(c.receive<std::string>(c.rank()) == "own");
        CHECK(c.receive<double>(c.rank()) == 0.5);
        CHECK_THROWS_AS(waitAll(arriving), UsageError);    // they were taken
    });
}

TEST_CASE("waitAll: at a deadline nothing was taken") {
    onRanks([](Connector& c) {
        std::array<Pending<int>, 2> arriving{c.expect<int>(previousRank(c)), c.expect<int>(previousRank(c))};
        c.send(nextRank(c), 1);
        CHECK_THROWS_AS(waitAll(arriving, Deadline::in(1ms)), TimeoutError);
        CHECK(arriving[0].isUnderWay());
        c.barrier();
        c.send(nextRank(c), 2);
        CHECK(waitAll(arriving) == std::vector<int>{1, 2});
    });
}

TEST_CASE("waitAny: the index of one that is ready, and those that were taken are passed over") {
    onRanks([](Connector& c) {
        std::vector<Pending<int>> arriving;
        arriving.push_back(c.expect<int>(nextRank(c)));    // comes last
        arriving.emplace_back();
        arriving.push_back(c.expect<int>(c.rank()));
        if (c.size() == 1) c.send(c.rank(), 6);    // the first takes it
        c.send(c.rank(), 7);
        if (c.size() == 1) {
            CHECK(waitAny(arriving) == 0);
            CHECK(arriving[0].get() == 6);
        }
        CHECK(waitAny(arriving) == 2);
        CHECK(arriving[2].get() == 7);
        if (c.size() == 1) {
            CHECK_THROWS_AS(waitAny(arriving), UsageError);
            return;
        }
        CHECK_THROWS_AS(waitAny(arriving, Deadline::in(1ms)), TimeoutError);
        c.barrier();
        c.send(previousRank(c), 8);
        CHECK(waitAny(arriving) == 0);
        CHECK(arriving[0].get() == 8);
    });
}

TEST_CASE("PendingPool: holds so many operations, and gives every value once") {
    onRanks([](Connector& c) {
        CHECK_THROWS_AS(PendingPool<int>(0), UsageError);
        PendingPool<int> pool(3);
        for (int i = 0; i < 20; ++i) {
            c.send(nextRank(c), i);
            pool.add(c.expect<int>(previousRank(c)));
            CHECK(pool.underWay() <= 3);
        }
        CHECK(pool.next() == 0);
        const std::vector<int> rest = pool.waitAll();
        REQUIRE(rest.size() == 19);
        for (int i = 1; i < 20; ++i) CHECK(rest[static_cast<std::size_t>(i - 1)] == i);
        CHECK_THROWS_AS(pool.next(), UsageError);

        PendingPool<void> posts(2);
        for (int i = 0; i < 5; ++i) posts.add(c.post(nextRank(c), i));
        posts.waitAll();
        CHECK(posts.underWay() == 0);
        for (int i = 0; i < 5; ++i) CHECK(c.receive<int>(previousRank(c)) == i);
    });
}

TEST_CASE("PendingPool: dropped with operations under way, it leaves their letters to others") {
    onRanks([](Connector& c) {
        {
            PendingPool<int> pool(4);
            pool.add(c.expect<int>(previousRank(c)));
            pool.add(c.expect<int>(previousRank(c)));
        }
        c.send(nextRank(c), 3);
        CHECK(c.receive<int>(previousRank(c)) == 3);
    });
}

TEST_CASE("sendReceive: in a circle, with one type and with two") {
    onRanks([](Connector& c) {
        CHECK(c.sendReceive(nextRank(c), c.rank(), previousRank(c)) == previousRank(c));
        const std::vector<double> large(100'000, c.rank());
        CHECK(c.sendReceive(nextRank(c), large, previousRank(c)).back() == previousRank(c));
        if (c.size() % 2 != 0) return;
        const bool isEven = c.rank() % 2 == 0;
        const int partner = isEven ? c.rank() + 1 : c.rank() - 1;
        if (isEven) {
            CHECK(c.sendReceive<std::string>(partner, 5, partner) == "five");
        } else {
            CHECK(c.sendReceive<int>(partner, std::string("five"), partner) == 5);
        }
        CHECK_THROWS_AS(c.sendReceive(partner, 1, c.size()), UsageError);
    });
}
