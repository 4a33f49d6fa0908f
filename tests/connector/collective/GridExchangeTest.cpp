#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

/// Exchanges values of different lengths between all ranks. Each value names its source and destination. Returns whether all arrived
/// correctly.
bool isExchangeRight(Connector& c) {
    std::vector<std::vector<int>> outgoing;
    for (int to = 0; to < c.size(); ++to) outgoing.emplace_back(static_cast<std::size_t>((c.rank() + to) % 3), 100 * c.rank() + to);
    const std::vector<std::vector<int>> incoming = c.gridAllToAll(outgoing);
    std::vector<std::vector<int>> expected;
    for (int from = 0; from < c.size(); ++from)
        expected.emplace_back(static_cast<std::size_t>((from + c.rank()) % 3), 100 * from + c.rank());
    return incoming == expected;
}

/// A value that cannot be written for one of the ranks.
struct Refusing {
    bool refuses = false;
    void writeToInts(IntWriter& out) const {
        if (refuses) throw std::domain_error("not this one");
        out << refuses;
    }
    void readFromInts(IntReader& in) { in >> refuses; }
};

}    // namespace

TEST_CASE("gridAllToAll: gives the same values as allToAll") {
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

TEST_CASE("allToAll: by letters, many ranks with little for each other take the grid, all of them or none") {
    const auto exchange = [](int rankCount, std::size_t largest) {
        auto result = simulate(rankCount, 7, [largest](Connector& c) {
            std::vector<std::vector<int>> outgoing(static_cast<std::size_t>(c.size()), std::vector<int>{c.rank()});
            if (c.rank() == c.size() - 1) outgoing[0].resize(largest, c.rank());
            const std::vector<std::vector<int>> incoming = c.allToAll(outgoing);
            bool isRight = incoming.size() == outgoing.size();
            for (std::size_t from = 0; isRight && from < incoming.size(); ++from) {
                const bool isLargest = c.rank() == 0 && from + 1 == incoming.size();
                isRight = incoming[from] == std::vector<int>(isLargest ? largest : 1, static_cast<int>(from));
            }
            const std::vector<int> ranks = c.allToAll(std::vector<int>(static_cast<std::size_t>(c.size()), c.rank()));
            for (int from = 0; from < c.size(); ++from) isRight = isRight && ranks[static_cast<std::size_t>(from)] == from;
            c.close();
            return isRight;
        });
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
        for (const auto& isRight : result.values) REQUIRE(isRight == true);
        return result.trace.size();
    };
    // A direct exchange sends 1260 letters, an exchange over the grid sends 360, and the agreement on the grid takes 70.
    // A letter makes three events. The allToAll of ints uses the grid in both cases.
    const std::size_t little = exchange(36, 100);
    CHECK(little + 3 * 500 < exchange(36, 129));
    CHECK(little < exchange(31, 100));
}

TEST_CASE("allToAll over a grid: values for too few ranks are an error that names the call") {
    const auto result = simulate(33, 1, [](Connector& c) {
        try {
            c.allToAll(std::vector<int>(2, 1));
            return false;
        } catch (const UsageError& error) {
            c.close();
            return std::string(error.what()).starts_with("allToAll needs a value for each of the 33 ranks");
        }
    });
    REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
    for (const auto& isRight : result.values) REQUIRE(isRight == true);
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
                } catch (const std::domain_error&) {}    // other ranks of the column get the exception too
            }
            CHECK(isExchangeRight(c));
        },
        2);
}
