#include <ferry/connector/collective/neighbourhood/CartesianGrid.hpp>

#include <limits>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/UsageError.hpp>

using namespace ferry;

TEST_CASE("CartesianGrid: coordinates and ranks name the same place, and the last coordinate runs fastest") {
    const detail::CartesianGrid grid({3, 2, 4}, {}, 24);
    for (int rank = 0; rank < 24; ++rank) CHECK(grid.rankAt(grid.coordinatesOf(rank)) == rank);
    CHECK(grid.coordinatesOf(0) == std::vector<int>{0, 0, 0});
    CHECK(grid.coordinatesOf(1) == std::vector<int>{0, 0, 1});
    CHECK(grid.coordinatesOf(23) == std::vector<int>{2, 1, 3});
    CHECK(grid.rankAt({1, 0, 2}) == 10);
}

TEST_CASE("CartesianGrid: beyond a border lies no rank, beyond a periodic side lies the rank on the other side") {
    const detail::CartesianGrid grid({3, 4}, {false, true}, 12);
    CHECK(grid.rankBeside(0, 0, -1) == std::nullopt);
    CHECK(grid.rankBeside(0, 0, 2) == 8);
    CHECK(grid.rankBeside(0, 0, 3) == std::nullopt);
    CHECK(grid.rankBeside(0, 1, -1) == 3);
    CHECK(grid.rankBeside(0, 1, 9) == 1);
    CHECK(grid.rankBeside(5, 1, std::numeric_limits<int>::max()) == 4);
    CHECK(grid.rankBeside(5, 0, std::numeric_limits<int>::min()) == std::nullopt);
    CHECK(grid.rankAt({3, 0}) == std::nullopt);
    CHECK(grid.rankAt({2, -5}) == 11);
    CHECK(grid.isPeriodic(1));
    CHECK_FALSE(grid.isPeriodic(0));
}

TEST_CASE("CartesianGrid: lists the neighbours in order, and sends upwards first") {
    const detail::CartesianGrid grid({2, 2}, {true, false}, 4);
    const detail::NeighbourLists lists = grid.neighboursOf(1);
    CHECK(lists.sources == std::vector<int>{3, 3, 0});
    CHECK(lists.destinations == lists.sources);
    CHECK(lists.sendOrder == std::vector<std::size_t>{1, 0, 2});
    CHECK(grid.placeOf(1, 0, -1) == 0u);
    CHECK(grid.placeOf(1, 0, 1) == 1u);
    CHECK(grid.placeOf(1, 1, -1) == 2u);
    CHECK(grid.placeOf(1, 1, 1) == std::nullopt);
}

TEST_CASE("CartesianGrid: extents of 0 are chosen, near each other, the greatest first") {
    using Extents = std::vector<int>;
    CHECK(detail::CartesianGrid({0, 0}, {}, 12).extents() == Extents{4, 3});
    CHECK(detail::CartesianGrid({0, 0, 0}, {}, 64).extents() == Extents{4, 4, 4});
    CHECK(detail::CartesianGrid({0, 3, 0}, {}, 24).extents() == Extents{4, 3, 2});
    CHECK(detail::CartesianGrid({0, 0}, {}, 7).extents() == Extents{7, 1});
    CHECK(detail::CartesianGrid({0, 0}, {}, 1).extents() == Extents{1, 1});
    CHECK_THROWS_AS(detail::CartesianGrid({0, 3}, {}, 8), UsageError);
    CHECK_THROWS_AS(detail::CartesianGrid({0, 9}, {}, 8), UsageError);
    CHECK_THROWS_AS(detail::CartesianGrid({0}, {}, 0), UsageError);
}

TEST_CASE("CartesianGrid: extents, flags and coordinates that do not fit are refused") {
    constexpr int large = std::numeric_limits<int>::max();
    CHECK_THROWS_AS(detail::CartesianGrid({3, 2}, {}, 5), UsageError);
    CHECK_THROWS_AS(detail::CartesianGrid({0, 2}, {}, 0), UsageError);
    CHECK_THROWS_AS(detail::CartesianGrid({-2, -2}, {}, 4), UsageError);
    CHECK_THROWS_AS(detail::CartesianGrid({large, large, large}, {}, 1), UsageError);
    CHECK_THROWS_AS(detail::CartesianGrid({2, 2}, {true}, 4), UsageError);
    const detail::CartesianGrid grid({2, 2}, {}, 4);
    CHECK_THROWS_AS(grid.rankBeside(0, 2, 1), UsageError);
    CHECK_THROWS_AS(grid.rankBeside(0, -1, 1), UsageError);
    CHECK_THROWS_AS(grid.placeOf(0, 0, 2), UsageError);
    CHECK_THROWS_AS(static_cast<void>(grid.coordinatesOf(4)), UsageError);
    CHECK_THROWS_AS(static_cast<void>(grid.rankAt({1})), UsageError);
}
