#include <ferry/framework/schedule/SlaveRanking.hpp>

#include <cstddef>
#include <optional>
#include <random>
#include <vector>

#include <doctest/doctest.h>

using namespace ferry;

namespace slaverankingtest {

using Keys = std::vector<std::optional<int>>;

/// Computes the expected answer: compares the keys of all slaves.
std::optional<int> leastBut(const Keys& keys, int left) {
    std::optional<int> best;
    for (int slave = 0; slave < static_cast<int>(keys.size()); ++slave) {
        const std::optional<int>& key = keys[static_cast<std::size_t>(slave)];
        if (slave != left && key && (!best || *key < *keys[static_cast<std::size_t>(*best)])) best = slave;
    }
    return best;
}

}    // namespace slaverankingtest

using namespace slaverankingtest;

TEST_CASE("SlaveRanking: the least key is first; of equal ones that of the first slave") {
    detail::SlaveRanking<int> ranking(3);
    CHECK_FALSE(ranking.first().has_value());
    ranking.set(2, 5);
    CHECK(ranking.first() == 2);
    ranking.set(0, 7);
    ranking.set(1, 5);
    CHECK(ranking.first() == 1);
    CHECK(ranking.keyOf(1) == 5);
    CHECK(ranking.firstBut(1) == 2);
    ranking.set(1, 9);
    CHECK(ranking.first() == 2);
    ranking.clear(2);
    CHECK(ranking.first() == 0);
    ranking.assign(0, std::nullopt);
    ranking.assign(1, std::nullopt);
    CHECK_FALSE(ranking.first().has_value());
}

TEST_CASE("SlaveRanking: all but one may be asked for, also one that is not there or has no key") {
    detail::SlaveRanking<int> ranking(5);
    ranking.set(4, 1);
    CHECK_FALSE(ranking.firstBut(4).has_value());
    CHECK(ranking.firstBut(3) == 4);
    CHECK(ranking.firstBut(-1) == 4);
    CHECK(ranking.firstBut(99) == 4);
    CHECK_FALSE(detail::SlaveRanking<int>(0).firstBut(-1).has_value());
    CHECK_FALSE(detail::SlaveRanking<int>(0).first().has_value());
}

TEST_CASE("SlaveRanking: finds the same slave as a look at each slave, for any number of slaves") {
    std::mt19937 random(1);
    for (int slaveCount = 1; slaveCount <= 40; ++slaveCount) {
        detail::SlaveRanking<int> ranking(slaveCount);
        Keys keys(static_cast<std::size_t>(slaveCount));
        for (int i = 0; i < 300; ++i) {
            const int slave = static_cast<int>(random() % static_cast<unsigned>(slaveCount));
            const std::optional<int> key = random() % 3 == 0 ? std::nullopt : std::optional(static_cast<int>(random() % 10));
            keys[static_cast<std::size_t>(slave)] = key;
            ranking.assign(slave, key);
            REQUIRE(ranking.first() == leastBut(keys, -1));
            REQUIRE(ranking.firstBut(slave) == leastBut(keys, slave));
        }
    }
}

TEST_CASE("SlaveRanking: new slaves can be added, and the others keep their keys") {
    detail::SlaveRanking<int> ranking(0);
    ranking.grow(3);
    CHECK_FALSE(ranking.first().has_value());
    ranking.set(1, 5);
    ranking.set(2, 4);
    ranking.grow(9);
    CHECK(ranking.first() == 2);
    CHECK(ranking.keyOf(1) == 5);
    ranking.set(8, 3);
    CHECK(ranking.first() == 8);
    CHECK(ranking.firstBut(8) == 2);
}
