#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/collective/Operators.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

/// What every rank has for every other says where it comes from and goes to; lengths differ.
bool isExchangeRight(Connector& c) {
    std::vector<std::vector<int>> outgoing;
    for (int to = 0; to < c.size(); ++to) outgoing.emplace_back(static_cast<std::size_t>((c.rank() + to) % 3), 100 * c.rank() + to);
    const std::vector<std::vector<int>> incoming = c.gridAllToAll(outgoing);
    std::vector<std::vector<int>> expected;
    for (int from = 0; from < c.size(); ++from)
        expected.emplace_back(static_cast<std::size_t>((from + c.rank()) % 3), 100 * from + c.rank());
    return incoming == expected;
}

/// Cannot be written by one rank for another.
struct Refusing {
    bool refuses = false;
    void writeToInts(IntWriter& out) const {
        if (refuses) throw std::domain_error("not this one");
        out << refuses;
    }
    void readFromInts(IntReader& in) { in >> refuses; }
};

}    // namespace

TEST_CASE("gridAllToAll: brings what allToAll brings") {
    onRanks([](Connector& c) {
        for (int round = 0; round < 3; ++round) CHECK(isExchangeRight(c));
        CHECK(c.gridAllToAll(std::vector<bool>(static_cast<std::size_t>(c.size()), true)) ==
              std::vector<bool>(static_cast<std::size_t>(c.size()), true));
    });
}

TEST_CASE("gridAllToAll: for any number of ranks, squares and primes too") {
    for (int rankCount = 1; rankCount <= 31; ++rankCount) {
        const auto result = simulate(rankCount, static_cast<std::uint64_t>(rankCount), [](Connector& c) {
            const bool isRight = isExchangeRight(c) && isExchangeRight(c);
            c.close();
            return isRight;
        });
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
        for (const auto& isRight : result.values) REQUIRE(isRight == true);
    }
}

TEST_CASE("gridAllToAll: values for too few ranks are an error on every rank") {
    onRanks(
        [](Connector& c) {
            const int count = c.rank() == 1 ? 1 : c.size();
            CHECK_THROWS_AS(c.gridAllToAll(std::vector<int>(static_cast<std::size_t>(count), 1)), UsageError);
            CHECK(isExchangeRight(c));
        },
        2);
}

TEST_CASE("gridAllToAll: a value that cannot be written is an error where it was to go, and nobody waits") {
    onRanks(
        [](Connector& c) {
            std::vector<Refusing> outgoing(static_cast<std::size_t>(c.size()));
            outgoing.front().refuses = c.rank() == 1;
            if (c.rank() == 0) {
                CHECK_THROWS_WITH_AS(c.gridAllToAll(outgoing), "not this one", std::domain_error);
            } else {
                try {
                    c.gridAllToAll(outgoing);
                } catch (const std::domain_error&) {}    // as others of the column
            }
            CHECK(isExchangeRight(c));
        },
        2);
}
