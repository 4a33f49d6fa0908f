#include <ferry/connector/collective/shape/Grid.hpp>

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

using namespace ferry;

TEST_CASE("Grid: every pair of ranks has one stop between, in the receiver's column, which knows its senders") {
    for (int rankCount = 1; rankCount <= 70; ++rankCount) {
        const detail::Grid grid(rankCount);
        for (int from = 0; from < rankCount; ++from) {
            for (int column = 0; column < grid.columnCount(); ++column) {
                const std::vector<int> receivers = grid.ranksOfColumn(column);
                const int stop = grid.stopBetween(from, column);
                REQUIRE(std::find(receivers.begin(), receivers.end(), stop) != receivers.end());
                for (const int rank : receivers) {
                    const std::vector<int> senders = grid.sendersThrough(rank);
                    REQUIRE(std::is_sorted(senders.begin(), senders.end()));
                    REQUIRE((std::find(senders.begin(), senders.end(), from) != senders.end()) == (rank == stop));
                }
            }
        }
    }
}

TEST_CASE("Grid: no rank sends another one steps of both kinds, so that they cannot be mistaken") {
    for (int rankCount = 1; rankCount <= 70; ++rankCount) {
        const detail::Grid grid(rankCount);
        for (int from = 0; from < rankCount; ++from) {
            for (int column = 0; column < grid.columnCount(); ++column) {
                const int stop = grid.stopBetween(from, column);
                REQUIRE((stop == from || grid.columnOf(stop) != grid.columnOf(from)));
            }
        }
    }
}

TEST_CASE("Grid: a rank sends to few others") {
    for (const int rankCount : {16, 17, 60, 61, 64}) {
        const detail::Grid grid(rankCount);
        CHECK(grid.columnCount() <= 8);
        for (int column = 0; column < grid.columnCount(); ++column) CHECK(grid.ranksOfColumn(column).size() <= 8);
        for (int rank = 0; rank < rankCount; ++rank) CHECK(grid.sendersThrough(rank).size() <= 10);
    }
}
