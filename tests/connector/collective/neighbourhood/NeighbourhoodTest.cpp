#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/connector/GuardedRegion.hpp>
#include <ferry/tests/connector/collective/StartedValues.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace {

/// The neighbourhood of a ring: a rank receives from the previous rank, and sends to the next one.
Neighbourhood ringOf(Connector& c) { return c.neighbourhood({previousRank(c)}, {nextRank(c)}); }

}    // namespace

TEST_CASE("Neighbourhood: values, vectors and objects go to the destinations and come from the sources") {
    onRanks([](Connector& c) {
        const Neighbourhood ring = ringOf(c);
        CHECK(ring.sources() == std::vector<int>{previousRank(c)});
        CHECK(ring.destinations() == std::vector<int>{nextRank(c)});
        CHECK(ring.allGather(c.rank()) == std::vector<int>{previousRank(c)});
        CHECK(ring.allGather(runOf(c.rank())) == std::vector<std::vector<int>>{runOf(previousRank(c))});
        CHECK(ring.allToAll(std::vector<Train>{carOf(c.rank())}) == std::vector<Train>{carOf(previousRank(c))});
        Pending<std::vector<Train>> trains = ring.startAllGather(carOf(c.rank()));
        Pending<std::vector<std::vector<int>>> runs = ring.startAllToAll(std::vector<std::vector<int>>{runOf(c.rank())});
        CHECK(runs.get() == std::vector<std::vector<int>>{runOf(previousRank(c))});
        CHECK(trains.get() == std::vector<Train>{carOf(previousRank(c))});
    });
}

TEST_CASE("Neighbourhood: a rank may have any number of neighbours, none too, and one neighbour several times") {
    onRanks([](Connector& c) {
        std::vector<int> twiceAll;
        for (int rank = 0; rank < c.size(); ++rank) twiceAll.insert(twiceAll.end(), {rank, rank});
        const bool isFirst = c.rank() == 0;
        const Neighbourhood star = c.neighbourhood(isFirst ? std::vector<int>() : std::vector<int>{0, 0},
                                                   isFirst ? std::vector<int>(twiceAll.begin() + 2, twiceAll.end()) : std::vector<int>());
        std::vector<int> numbers;
        for (std::size_t i = 0; i < star.destinations().size(); ++i) numbers.push_back(static_cast<int>(i));
        const int first = 2 * (c.rank() - 1);
        CHECK(star.allToAll(numbers) == (isFirst ? std::vector<int>() : std::vector<int>{first, first + 1}));
        CHECK(star.startAllToAll(numbers).get() == (isFirst ? std::vector<int>() : std::vector<int>{first, first + 1}));
        const Neighbourhood all = c.neighbourhood(twiceAll, twiceAll);
        CHECK(all.allGather(c.rank()) == twiceAll);
        CHECK(c.neighbourhood({}, {}).allGather(1).empty());
    });
}

TEST_CASE("Neighbourhood: lists that do not agree are an error on every rank that names both sides") {
    onRanks(
        [](Connector& c) {
            try {
                c.neighbourhood({}, c.rank() == 1 ? std::vector<int>{0, 0} : std::vector<int>());
                FAIL_CHECK("rank 0 does not expect anything");
            } catch (const CollectiveMismatch& mismatch) {
                CHECK(mismatch.here().rank == 1);
                CHECK(mismatch.there().rank == 0);
                CHECK(mismatch.what() == std::string("ranks do not agree on a collective: rank 1 calls a neighbourhood with rank 0 as its "
                                                     "destination 2 times, rank 0 calls one with rank 1 as its source 0 times"));
            }
            CHECK_THROWS_AS(c.neighbourhood({nextRank(c)}, {}), CollectiveMismatch);
            CHECK_THROWS_AS(c.neighbourhood({c.rank() == 1 ? c.size() : 0}, {}), UsageError);
            CHECK_THROWS_AS(c.neighbourhood({}, {c.rank() == 1 ? -1 : 0}), UsageError);
            checkUsable(c);
        },
        2);
}

TEST_CASE("Neighbourhood: errors arrive where the value is needed, and the others get theirs") {
    onRanks(
        [](Connector& c) {
            const Neighbourhood ring = ringOf(c);
            const bool isBad = c.rank() == 0;
            const std::vector<int> values(isBad ? 2 : 1, 5);
            const bool isToldToo = isBad || c.rank() == 1;
            if (isToldToo) {
                CHECK_THROWS_AS(ring.allToAll(values), UsageError);
                CHECK_THROWS_AS(ring.startAllToAll(values).get(), UsageError);
            } else {
                CHECK(ring.allToAll(values) == std::vector<int>{5});
                CHECK(ring.startAllToAll(values).get() == std::vector<int>{5});
            }
            checkUsable(c);
            const ExceptionList failures = failuresOf(c, [&] {
                throwOnLast(c);
                static_cast<void>(ring.allGather(1));
                static_cast<void>(ring.startAllGather(2).get());
                c.barrier();
            });
            checkOneFailure(c, failures, "matrix is singular");
            CHECK(ring.allGather(3) == std::vector<int>{3});
        },
        2);
}

TEST_CASE("Neighbourhood: a rank that waits for a neighbour which does not come gives up at its deadline, or waits on") {
    onRanks(
        [](Connector& c) {
            const Neighbourhood ring = ringOf(c);
            Pending<std::vector<int>> fromBefore;
            if (c.rank() != 0) fromBefore = ring.startAllGather(1);
            if (c.rank() == 1) CHECK_THROWS_AS(fromBefore.get(Deadline::in(2ms)), TimeoutError);
            c.send(0, c.rank());
            if (c.rank() == 0) {
                CHECK(c.receive<int>(1) == 1);
                fromBefore = ring.startAllGather(1);
            }
            CHECK(fromBefore.get() == std::vector<int>{1});
            checkUsable(c);
            if (c.rank() == 0) CHECK(c.receive<int>(0) == 0);
            for (int rank = 2; rank < c.size() && c.rank() == 0; ++rank) CHECK(c.receive<int>(rank) == rank);
        },
        2);
}

TEST_CASE("CartesianNeighbourhood: in a closed ring each value goes to the neighbour in its place, also when both are one rank") {
    onRanks([](Connector& c) {
        const CartesianNeighbourhood ring = c.cartesian({c.size()}, {true});
        const std::vector<int> both{previousRank(c), nextRank(c)};
        CHECK(ring.sources() == both);
        CHECK(ring.destinations() == both);
        CHECK(ring.allGather(c.rank()) == both);
        const auto down = ring.placeOf(0, -1).value();
        const auto up = ring.placeOf(0, 1).value();
        std::vector<std::string> values(2);
        values[down] = "down from " + std::to_string(c.rank());
        values[up] = "up from " + std::to_string(c.rank());
        for (const std::vector<std::string>& received : {ring.allToAll(values), ring.startAllToAll(values).get()}) {
            CHECK(received[down] == "up from " + std::to_string(previousRank(c)));
            CHECK(received[up] == "down from " + std::to_string(nextRank(c)));
        }
    });
}

TEST_CASE("CartesianNeighbourhood: grids with borders") {
    onRanks([](Connector& c) {
        const int columns = c.size() % 2 == 0 ? 2 : 1;
        const int rows = c.size() / columns;
        const CartesianNeighbourhood grid = c.cartesian({rows, columns}, {false, true});
        CHECK(grid.coordinates() == std::vector<int>{c.rank() / columns, c.rank() % columns});
        const std::vector<std::vector<int>> around = grid.allGather(grid.coordinates());
        for (const int direction : {-1, 1}) {
            const auto place = grid.placeOf(0, direction);
            const int row = grid.coordinates()[0] + direction;
            CHECK(place.has_value() == (row >= 0 && row < rows));
            if (place) CHECK(around.at(*place) == std::vector<int>{row, grid.coordinates()[1]});
        }
        const CartesianNeighbourhood::Shift shift = grid.shift(0, 1);
        if (shift.destination) c.send(*shift.destination, c.rank());
        if (shift.source) CHECK(c.receive<int>(*shift.source) == *shift.source);
    });
}

TEST_CASE("cartesian: a grid that does not fit is an error on every rank, though only one asks for it") {
    onRanks([](Connector& c) {
        CHECK_THROWS_AS(c.cartesian({c.size(), c.rank() == 0 ? 2 : 1}), UsageError);
        CHECK_THROWS_AS(c.cartesian({}), UsageError);
        CHECK_THROWS_AS(c.cartesian({c.size()}, {true, false}), UsageError);
        if (c.size() == 1) return;
        CHECK_THROWS_AS(c.cartesian({c.size()}, {c.rank() == 0}), CollectiveMismatch);
        CHECK_THROWS_AS(c.cartesian({c.rank() == 0 ? 1 : c.size(), c.rank() == 0 ? c.size() : 1}), CollectiveMismatch);
        checkUsable(c);
    });
}
