#include <cstddef>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace givenuptest {

/// A value that cannot be written when it is full.
struct Vessel {
    bool isFull = false;
    void writeToInts(IntWriter& out) const {
        if (isFull) throw std::length_error("a full vessel cannot be moved");
        out << isFull;
    }
    void readFromInts(IntReader& in) { in >> isFull; }
};

}    // namespace givenuptest

using givenuptest::Vessel;

TEST_CASE("Collectives: a std::bad_alloc that a rank has thrown on this one is no lack of memory at the begin of a collective") {
    Connector alone(std::move(detail::threadTransports(1).front()));
    int thrown = 0;
    constexpr int rounds = 20;    // in one of them the collective begins with a look for letters
    for (int i = 0; i < rounds; ++i) {
        alone.throwOn(0, std::bad_alloc());
        try {
            alone.barrier();
            alone.poll();
        } catch (const std::bad_alloc&) {
            ++thrown;
        }
    }
    CHECK(thrown == rounds);
}

TEST_CASE("broadcast: a value that cannot be written is an error on every rank, and the next collective works") {
    onRanks([](Connector& c) {
        for (int root = 0; root < c.size(); ++root) {
            CHECK_THROWS_WITH_AS(c.broadcast(Vessel{c.rank() == root}, root), "a full vessel cannot be moved", std::length_error);
            CHECK(c.allReduce(std::string("a"), [](const std::string& left, const std::string& right) { return left + right; }) ==
                  std::string(static_cast<std::size_t>(c.size()), 'a'));
            CHECK(c.broadcast(std::to_string(root), root) == std::to_string(root));
        }
    });
}

TEST_CASE("gather: a value that cannot be written is an error on its rank and on the root") {
    onRanks([](Connector& c) {
        for (int root = 0; root < c.size(); ++root) {
            for (int full = 0; full < c.size(); ++full) {
                if (c.rank() == root || c.rank() == full) {
                    CHECK_THROWS_AS(c.gather(Vessel{c.rank() == full}, root), std::length_error);
                } else {
                    CHECK(c.gather(Vessel{}, root).empty());
                }
                const std::vector<std::string> all = c.gather(std::to_string(c.rank()), root);
                CHECK(all.size() == (c.rank() == root ? static_cast<std::size_t>(c.size()) : 0));
            }
        }
    });
}

TEST_CASE("Collectives: ranks that wait for one that waits for a rank that has left are told, too") {
    onRanksThatFail(
        [](Connector& c) {
            if (c.rank() == c.size() - 1) return detail::mailboxOf(c).departures().sayFarewell();
            CHECK_THROWS_AS(c.allGather(std::string("x")), RankHasLeft);
            CHECK_THROWS_AS(c.sparseAllToAll(std::map<int, std::string>{{c.size() - 1, "x"}}), RankHasLeft);
            detail::mailboxOf(c).departures().sayFarewell();
        },
        3);
}
