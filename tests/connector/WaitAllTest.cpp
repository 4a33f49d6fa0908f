#include <ferry/connector/message/pending/PendingWaits.hpp>

#include <chrono>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/support/Everywhere.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace waitalltest {

/// A value that cannot be read when it is 7.
struct Choosy {
    int number = 0;
    void writeToInts(IntWriter& out) const { out << number; }
    void readFromInts(IntReader& in) {
        in >> number;
        if (number >= 7) throw std::domain_error("not " + std::to_string(number));
    }
};

}    // namespace waitalltest

using namespace waitalltest;

TEST_CASE("waitAll: operations of different types give a tuple") {
    onRanksAndSimulated([](Connector& c) {
        Pending<int> number = c.expect<int>(previousRank(c));
        Pending<std::string> text = c.expect<std::string>(previousRank(c));
        Pending<void> barrier = c.startBarrier();
        Pending<int> sum = c.startAllReduce(1, Sum{});
        c.send(nextRank(c), "text");
        c.send(nextRank(c), 5);
        const auto [five, word, nothing, ranks] = waitAll(number, text, barrier, sum);
        CHECK(five == 5);
        CHECK(word == "text");
        CHECK(nothing == std::monostate{});
        CHECK(ranks == c.size());
        CHECK_FALSE(number.isUnderWay());
        CHECK_THROWS_AS(waitAll(number, text), UsageError);
        CHECK_FALSE(text.isUnderWay());
        CHECK(waitAll(c.startAllReduce(2, Max{}), c.post(c.rank(), std::vector<int>{1})) == std::tuple(2, std::vector<int>{1}));
        CHECK(c.receive<std::vector<int>>() == std::vector<int>{1});
    });
}

TEST_CASE("waitAll: at a deadline nothing of different types was taken") {
    onRanksAndSimulated([](Connector& c) {
        Pending<int> number = c.expect<int>(previousRank(c));
        Pending<double> real = c.expect<double>(previousRank(c));
        c.send(nextRank(c), 1);
        CHECK_THROWS_AS(waitAll(Deadline::in(1ms), number, real), TimeoutError);
        CHECK(number.isUnderWay());
        c.barrier();
        c.send(nextRank(c), 2.5);
        CHECK(waitAll(number, real) == std::tuple(1, 2.5));
    });
}

TEST_CASE("waitAll: when several of different types fail, the first is thrown, and nothing else is lost") {
    onRanksAndSimulated([](Connector& c) {
        Pending<int> before = c.expect<int>(previousRank(c));
        Pending<Choosy> bad = c.expect<Choosy>(previousRank(c));
        Pending<Choosy> worse = c.expect<Choosy>(previousRank(c));
        Pending<std::string> behind = c.expect<std::string>(previousRank(c));
        c.send(nextRank(c), 1);
        c.send(nextRank(c), Choosy{7});
        c.send(nextRank(c), Choosy{8});
        c.send(nextRank(c), "behind");
        CHECK_THROWS_WITH_AS(waitAll(before, bad, worse, behind), "not 7", std::domain_error);
        CHECK_FALSE(bad.isUnderWay());
        CHECK(before.ready());
        CHECK(before.get() == 1);
        CHECK_THROWS_WITH_AS(worse.get(), "not 8", std::domain_error);
        CHECK_FALSE(worse.isUnderWay());
        CHECK(behind.get() == "behind");
    });
}

TEST_CASE("waitAll: when one of a row fails, the values of the others can still be taken") {
    onRanksAndSimulated([](Connector& c) {
        std::vector<Pending<Choosy>> row;
        for (int i = 0; i < 4; ++i) row.push_back(c.expect<Choosy>(previousRank(c)));
        for (const int number : {1, 7, 3, 9}) c.send(nextRank(c), Choosy{number});
        CHECK_THROWS_WITH_AS(waitAll(row), "not 7", std::domain_error);
        CHECK(row[0].get().number == 1);
        CHECK_FALSE(row[1].isUnderWay());
        CHECK(row[2].get().number == 3);
        CHECK_THROWS_WITH_AS(row[3].get(), "not 9", std::domain_error);
    });
}

TEST_CASE("waitAll: an exception of another rank ends the wait, and the operations go on") {
    onRanksAndSimulated(
        [](Connector& c) {
            const auto group = c.split(0);
            Pending<int> number = c.expect<int>(previousRank(c));
            Pending<double> real = group->expect<double>(previousRank(c));
            if (c.rank() == 1) {
                c.send(0, std::string("ready"));
                CHECK_THROWS_AS(waitAll(number, real), std::range_error);
            } else if (c.rank() == 0) {
                c.receive<std::string>(1);
                c.throwOn(1, std::range_error("enough"));
            }
            c.barrier();
            CHECK_THROWS_AS(waitAll(Deadline::in(1ms), real, number), TimeoutError);
            c.barrier();
            c.send(nextRank(c), 3);
            group->send(nextRank(c), 0.5);
            CHECK(waitAll(number, real) == std::tuple(3, 0.5));
            CHECK_THROWS_AS(c.guarded([&] {
                Pending<int> one = c.expect<int>();
                Pending<double> other = c.expect<double>();
                if (c.rank() == 1) throw std::range_error("in the region");
                waitAll(one, other);
            }),
                            ExceptionList);
            c.barrier();
        },
        2);
}
