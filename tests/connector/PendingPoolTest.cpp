#include <ferry/connector/message/pending/PendingPool.hpp>

#include <array>
#include <chrono>
#include <stdexcept>
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

namespace pendingpooltest {

/// A value that cannot be read when it is 7.
struct Picky {
    int number = 0;
    void writeToInts(IntWriter& out) const { out << number; }
    void readFromInts(IntReader& in) {
        in >> number;
        if (number == 7) throw std::domain_error("not 7");
    }
};

}    // namespace pendingpooltest

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
        CHECK_THROWS_AS(waitAll(arriving), UsageError);    // their values were taken already
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

TEST_CASE("waitAny: gives the index of a finished operation, and passes over operations whose values were taken") {
    onRanks([](Connector& c) {
        std::vector<Pending<int>> arriving;
        arriving.push_back(c.expect<int>(nextRank(c)));    // this value arrives last
        arriving.emplace_back();
        arriving.push_back(c.expect<int>(c.rank()));
        if (c.size() == 1) c.send(c.rank(), 6);    // the first one takes this value
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

TEST_CASE("PendingPool: holds at most the given number of operations, and gives every value once") {
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

TEST_CASE("waitAny and waitAll: an operation whose value cannot be read is over when it has been told") {
    using pendingpooltest::Picky;
    onRanks([](Connector& c) {
        const auto expectThree = [&c] {
            for (const int number : {1, 7, 3}) c.send(c.rank(), Picky{number});
            std::vector<Pending<Picky>> expected;
            for (int i = 0; i < 3; ++i) expected.push_back(c.expect<Picky>(c.rank()));
            return expected;
        };
        std::vector<Pending<Picky>> one = expectThree();
        int sum = 0;
        int failureCount = 0;
        for (int i = 0; i < 3; ++i) {
            Pending<Picky>& ready = one[waitAny(one)];
            try {
                sum += ready.get().number;
            } catch (const std::domain_error&) {
                ++failureCount;
            }
            CHECK_FALSE(ready.isUnderWay());
        }
        CHECK(sum == 4);
        CHECK(failureCount == 1);
        CHECK_THROWS_AS(waitAny(one), UsageError);

        std::vector<Pending<Picky>> all = expectThree();
        CHECK_THROWS_AS(waitAll(all), std::domain_error);
        CHECK(all[0].get().number == 1);
        CHECK_FALSE(all[1].isUnderWay());
        CHECK(all[2].get().number == 3);
    });
}

TEST_CASE("Pending: a started collective that has failed is over when it has been told") {
    onRanks([](Connector& c) {
        Pending<int> sum = c.startAllReduce(c.rank(), [](int, int) -> int { throw std::domain_error("no sum"); });
        if (c.size() == 1) {
            CHECK(sum.get() == 0);
        } else {
            CHECK_THROWS_AS(sum.get(), std::domain_error);
        }
        CHECK_FALSE(sum.isUnderWay());
    });
}

TEST_CASE("PendingPool: refuses an operation that is not under way") {
    onRanks([](Connector& c) {
        PendingPool<int> pool(2);
        CHECK_THROWS_AS(pool.add(Pending<int>()), UsageError);
        c.send(c.rank(), 4);
        pool.add(c.expect<int>(c.rank()));
        CHECK(pool.next() == 4);
    });
}
