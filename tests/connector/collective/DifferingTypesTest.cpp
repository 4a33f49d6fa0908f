#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/connector/GuardedRegion.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace differingtypestest {

struct Metres {
    std::string name;
    double value = 0;
};
struct Seconds {
    std::string name;
    double value = 0;
};

/// Checks that the text names the calls of both sides.
void checkNames(const std::string& text, const std::string& one, const std::string& other) {
    CAPTURE(text);
    CHECK(text.find(one) != std::string::npos);
    CHECK(text.find(other) != std::string::npos);
}

/// Makes one call on rank 0 and another call on the other ranks. Returns the text of the mismatch.
template <class First, class Other>
std::string mismatchBetween(Connector& c, const First& first, const Other& other) {
    return mismatchOf(c, [&] { c.rank() == 0 ? first() : other(); });
}

}    // namespace differingtypestest

using namespace differingtypestest;

TEST_CASE("Collectives: ranks that have values of different types are told, and both are named") {
    onRanks(
        [](Connector& c) {
            checkNames(mismatchBetween(
                           c, [&] { c.allReduce(1, Sum{}); }, [&] { c.allReduce(1.0, Sum{}); }),
                       "allReduce of int", "allReduce of double");
            checkNames(mismatchBetween(
                           c,
                           [&] {
                               c.allGather(Metres{"way", 1});
                           },
                           [&] {
                               c.allGather(Seconds{"time", 1});
                           }),
                       "allGather of differingtypestest::Metres", "allGather of differingtypestest::Seconds");
            checkNames(mismatchBetween(
                           c, [&] { c.broadcast(std::string("text")); }, [&] { c.broadcast(std::vector<double>()); }),
                       "broadcast from rank 0 of std::string", "broadcast from rank 0 of std::vector<double>");
            checkNames(mismatchBetween(
                           c, [&] { c.allGather(std::vector<std::string>{"text"}); }, [&] { c.allGather(std::map<std::string, int>()); }),
                       "allGather of std::vector<std::string>", "allGather of std::map<std::string, int>");
            checkNames(mismatchBetween(
                           c, [&] { c.reduceScatter(std::vector<long>(static_cast<std::size_t>(c.size())), Sum{}); },
                           [&] { c.reduceScatter(std::vector<float>(static_cast<std::size_t>(c.size())), Sum{}); }),
                       "reduceScatter of long", "reduceScatter of float");
            checkNames(mismatchBetween(
                           c,
                           [&] {
                               c.sparseAllToAll(std::map<int, int>{{1, 5}});
                           },
                           [&] {
                               c.sparseAllToAll(std::map<int, unsigned>{{0, 5U}});
                           }),
                       "sparseAllToAll of int", "sparseAllToAll of unsigned");
            checkNames(mismatchBetween(
                           c, [&] { c.startAllReduce(1, Sum{}).get(); }, [&] { c.startAllReduce(2.0F, Sum{}).get(); }),
                       "started allReduce of int", "started allReduce of float");
            checkUsable(c);
        },
        2);
}

TEST_CASE("Collectives: without a guarded region, too, all ranks are told of differing types") {
    onRanks(
        [](Connector& c) {
            if (isOverBoard())
                return;    // with shared memory the next call throws again, since the ranks have still entered different
                           // collectives
            for (int odd = 0; odd < c.size(); ++odd) {
                if (c.rank() == odd) {
                    CHECK_THROWS_AS(c.allReduce(1, Sum{}), CollectiveMismatch);
                } else {
                    CHECK_THROWS_AS(c.allReduce(1.0, Sum{}), CollectiveMismatch);
                }
            }
        },
        2);
}

TEST_CASE("Collectives: a rank with memory of its own and a rank with a vector make the same call") {
    onRanks([](Connector& c) {
        const std::vector<int> mine{c.rank(), 1};
        std::vector<int> all(2 * static_cast<std::size_t>(c.size()));
        if (c.rank() == 0) {
            CHECK(c.allGather(mine, {.into = all}).size() == all.size());
        } else {
            CHECK(c.allGather(mine).size() == all.size());
        }
    });
}

TEST_CASE("Collectives: an operator that calls a collective is an error on every rank, and the next collective works") {
    onRanks(
        [](Connector& c) {
            const auto nested = [&c](int left, int right) {
                c.barrier();
                return left + right;
            };
            CHECK_THROWS_WITH_AS(c.allReduce(1, nested),
                                 "barrier is called inside allReduce, by an operator or while a value is written or read: other ranks do "
                                 "not call it there",
                                 UsageError);
            checkUsable(c);
        },
        2);
}

TEST_CASE("Collectives: a guarded region that an operator or the function of ordered() enters is an error on every rank") {
    onRanks(
        [](Connector& c) {
            const auto nested = [&c](const std::string& left, const std::string& right) {
                c.guarded([] {});
                return left + right;
            };
            CHECK_THROWS_WITH_AS(c.allReduce(std::string("a"), nested),
                                 "guarded is called inside allReduce, by an operator or while a value is written or read: other ranks do "
                                 "not call it there",
                                 UsageError);
            CHECK_THROWS_WITH_AS(c.ordered([&c] { c.guarded([] {}); }),
                                 "guarded is called inside ordered: other ranks do not call it there", UsageError);
            c.guarded([&c] { checkUsable(c); });
        },
        2);
}
