#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/shape/flat.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/connector/GuardedRegion.hpp>
#include <ferry/tests/support/Everywhere.hpp>

using namespace ferry;
using namespace ferry::test;

namespace byvaluetest {

/// The rank, as many times as the rank says and once more.
std::vector<int> ownOf(int rank) { return std::vector<int>(static_cast<std::size_t>(rank) + 1, rank); }

std::vector<int> allOf(const Connector& c) {
    std::vector<int> all;
    for (int rank = 0; rank < c.size(); ++rank) all.insert(all.end(), static_cast<std::size_t>(rank) + 1, rank);
    return all;
}

std::vector<int> countsOf(const Connector& c) {
    std::vector<int> counts(static_cast<std::size_t>(c.size()));
    std::iota(counts.begin(), counts.end(), 1);
    return counts;
}

}    // namespace byvaluetest

using namespace byvaluetest;

TEST_CASE("Options without memory: the result is a vector, and counts go in and out") {
    onRanksAndSimulated([](Connector& c) {
        const std::vector<int> mine = ownOf(c.rank());
        const std::vector<int> counts = countsOf(c);
        const int root = c.size() - 1;
        const std::vector<int> atRoot = c.rank() == root ? allOf(c) : std::vector<int>();
        std::vector<int> found{7};
        CHECK(c.allGather(mine, {}) == allOf(c));
        CHECK(c.allGather(mine, {.counts = counts}) == allOf(c));
        CHECK(c.allGather(mine, {.countsOut = &found}) == allOf(c));
        CHECK(found == counts);
        CHECK(c.gather(mine, {.root = root}) == atRoot);
        CHECK(c.gather(mine, {.root = root, .counts = counts, .countsOut = &found}) == atRoot);
        CHECK(found == (c.rank() == root ? counts : std::vector<int>()));
        CHECK(c.scatter(atRoot, {.root = root, .counts = counts}) == mine);
        const std::vector<int> even(static_cast<std::size_t>(2 * c.size()), c.rank());
        CHECK(c.scatter(even, {.root = root}) == std::vector<int>{root, root});

        std::vector<int> row;    // r + 1 elements for rank r
        for (int rank = 0; rank < c.size(); ++rank) row.insert(row.end(), static_cast<std::size_t>(rank) + 1, c.rank());
        const std::vector<int> column = c.allToAll(row, {.counts = counts, .countsOut = &found});
        CHECK(found == std::vector<int>(static_cast<std::size_t>(c.size()), c.rank() + 1));
        CHECK(c.allToAll(row, {.counts = counts, .countsFrom = found}) == column);
        CHECK(column.size() == static_cast<std::size_t>(c.size() * (c.rank() + 1)));
        for (int rank = 0; rank < c.size(); ++rank)
            CHECK(column[static_cast<std::size_t>(displacementsOf(found)[static_cast<std::size_t>(rank)])] == rank);
        CHECK(c.allToAll(even, {}).size() == even.size());

        const std::vector<double> numbers{1.0 * c.rank(), 1};
        const std::vector<double> sums{c.size() * (c.size() - 1) / 2.0, 1.0 * c.size()};
        CHECK(c.allReduce(numbers, Sum{}, {}) == sums);
        CHECK(c.reduce(numbers, Sum{}, {.root = root}) == (c.rank() == root ? sums : std::vector<double>()));
        CHECK(c.allReduce(std::string("a"), std::plus<>(), {}).size() == static_cast<std::size_t>(c.size()));
    });
}

TEST_CASE("Options with a vector: it gets the size of the result, or never shrinks") {
    onRanksAndSimulated([](Connector& c) {
        const std::vector<int> mine = ownOf(c.rank());
        std::vector<int> fit(1000, 5);
        CHECK(c.allGather(mine, {.into = resized(fit)}).size() == allOf(c).size());
        CHECK(fit == allOf(c));
        std::vector<int> wide(1000, 5);
        const std::span<int> filled = c.allGather(mine, {.into = grown(wide)});
        CHECK(wide.size() == 1000);
        CHECK(std::vector<int>(filled.begin(), filled.end()) == allOf(c));
        std::vector<int> narrow;
        CHECK(c.gather(mine, {.into = grown(narrow)}).size() == (c.isMaster() ? allOf(c).size() : 0));
        CHECK(narrow.size() == (c.isMaster() ? allOf(c).size() : 0));
        std::vector<int> sums;
        c.allReduce(std::vector<int>{1, 2}, Sum{}, {.into = resized(sums)});
        CHECK(sums == std::vector<int>{c.size(), 2 * c.size()});
        std::vector<int> small(1);
        CHECK_THROWS_AS(c.allGather(std::vector<int>{1, 2}, {.into = small}), UsageError);
        c.barrier();
    });
}

TEST_CASE("Options without memory: wrong counts are errors, and a region gathers them") {
    onRanksAndSimulated(
        [](Connector& c) {
            std::vector<int> counts(static_cast<std::size_t>(c.size()), 1);
            counts.back() = 2;
            CHECK_THROWS_AS(c.guarded([&] { c.allGather(std::vector<int>{1}, {.counts = counts}); }), ExceptionList);
            CHECK_THROWS_AS(c.allToAll(std::vector<int>(static_cast<std::size_t>(c.size()) + 1), {}), UsageError);
            CHECK_THROWS_AS(c.scatter(std::vector<int>(static_cast<std::size_t>(c.size()) + 1), {.root = 0}), UsageError);
            CHECK_THROWS_AS(c.gather(std::vector<int>{1}, {.root = c.size()}), UsageError);
            CHECK_THROWS_AS(c.guarded([&] {
                if (c.rank() == 1) throw std::range_error("in the region");
                c.allGather(std::vector<int>{1}, {});
                c.allToAll(std::vector<int>(static_cast<std::size_t>(c.size())), {});
            }),
                            ExceptionList);
            const auto group = c.split(c.rank() % 2);
            CHECK(group->allGather(std::vector<int>{c.rank() % 2}, {}) ==
                  std::vector<int>(static_cast<std::size_t>(group->size()), c.rank() % 2));
            checkUsable(c);
        },
        2);
}

TEST_CASE("flat: results by rank become one vector") {
    const std::vector<std::vector<int>> rows{{1, 2}, {}, {3}};
    CHECK(flat(rows) == std::vector<int>{1, 2, 3});
    CHECK(flat(std::map<int, std::vector<std::string>>{{2, {"b"}}, {1, {"a", "c"}}}) == std::vector<std::string>{"a", "c", "b"});
    CHECK(flat(std::vector<std::pair<int, std::vector<bool>>>{{0, {true}}, {0, {false}}}) == std::vector<bool>{true, false});
    std::vector<std::vector<std::unique_ptr<int>>> owners(2);
    owners[1].push_back(std::make_unique<int>(4));
    CHECK(*flat(std::move(owners)).at(0) == 4);
    CHECK(flat(std::vector<std::vector<int>>()).empty());
    onRanksAndSimulated([](Connector& c) {
        CHECK(flat(c.allToAll(std::vector<std::vector<int>>(static_cast<std::size_t>(c.size()), ownOf(c.rank())))) == allOf(c));
    });
}

TEST_CASE("sparseAllToAll: maps of other kinds, and several values for a rank") {
    onRanksAndSimulated([](Connector& c) {
        const std::unordered_map<long, std::string> named{{nextRank(c), std::to_string(c.rank())}};
        CHECK(c.sparseAllToAll(named) == std::map<int, std::string>{{previousRank(c), std::to_string(previousRank(c))}});
        const std::vector<std::pair<int, int>> several{{nextRank(c), 1}, {c.rank(), 2}, {nextRank(c), 3}};
        std::vector<std::pair<int, int>> expected{{previousRank(c), 1}, {previousRank(c), 3}, {c.rank(), 2}};
        if (c.size() == 1) expected = several;
        if (c.rank() < previousRank(c)) expected = {{c.rank(), 2}, {previousRank(c), 1}, {previousRank(c), 3}};
        CHECK(c.sparseAllToAll(several) == expected);
        std::multimap<short, double> two;
        two.emplace(static_cast<short>(nextRank(c)), 0.5);
        two.emplace(static_cast<short>(nextRank(c)), 1.5);
        CHECK(c.sparseAllToAll(two) == std::vector<std::pair<int, double>>{{previousRank(c), 0.5}, {previousRank(c), 1.5}});
        std::map<std::size_t, std::unique_ptr<int>> owned;
        owned.emplace(static_cast<std::size_t>(nextRank(c)), std::make_unique<int>(c.rank()));
        CHECK(*c.sparseAllToAll(owned).at(previousRank(c)) == previousRank(c));
        CHECK_THROWS_AS(c.sparseAllToAll(std::vector<std::pair<long, int>>{{1L << 40, 1}}), UsageError);
        checkUsable(c);
    });
}
