#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/tests/connector/collective/StartedValues.hpp>
#include <ferry/tests/support/Everywhere.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace startedintotest {

using Filled = Pending<std::span<int>>;

/// A plain struct with a member that does not travel.
struct LocalReading {
    double value = 0;
    int local = 0;
    FERRY_FIELDS_SOME(value)
};

std::size_t placeOfRank(int rank) { return static_cast<std::size_t>(rank); }
std::size_t countOfRanks(const Connector& c) { return placeOfRank(c.size()); }
std::vector<int> untouchedInts(std::size_t count) { return std::vector<int>(count, -1); }

std::vector<int> onesToEach(const Connector& c) { return std::vector<int>(countOfRanks(c), 1); }

}    // namespace startedintotest

using namespace startedintotest;

TEST_CASE("Started into memory: each form fills the memory as its blocking form does, from any root, all under way at once") {
    onRanksAndSimulated([](Connector& c) {
        for (int root = 0; root < c.size(); ++root) {
            const bool isRoot = c.rank() == root;
            const std::vector<int> own = runOf(c.rank());
            const std::vector<int> row = forEachRank(c, [&](int to) { return 100 * c.rank() + to; });
            const std::vector<int> each = onesToEach(c);
            std::vector<int> gathered = untouchedInts(allRuns(c).size());
            std::vector<int> everywhere, column, sums = row;
            std::array<int, 1> mine{-1};
            std::vector<int> rootSums = untouchedInts(row.size());
            std::vector<int> shared = isRoot ? row : untouchedInts(row.size());

            Filled gather = c.startGather(own, {.root = root, .into = gathered});
            Filled allGather = c.startAllGather(own, {.into = resized(everywhere)});
            Filled scatter = c.startScatter(row, {.root = root, .into = mine});
            Filled allToAll = c.startAllToAll(std::span(row), {.counts = each, .into = resized(column)});
            Filled reduce = c.startReduce(row, Sum{}, {.root = root, .into = rootSums});
            Filled allReduce = c.startAllReduce(sums, Sum{}, {.into = sums});    // in place
            Pending<void> broadcast = c.startBroadcast(std::span(shared), root);

            const std::vector<int> total = c.allReduce(row, Sum{});
            CHECK(allReduce.get().data() == sums.data());
            CHECK(sums == total);
            broadcast.get();
            CHECK(shared == forEachRank(c, [&](int to) { return 100 * root + to; }));
            CHECK(scatter.get().front() == 100 * root + c.rank());
            CHECK(mine.front() == 100 * root + c.rank());
            CHECK(reduce.get().size() == (isRoot ? row.size() : 0));
            CHECK(rootSums == (isRoot ? total : untouchedInts(row.size())));
            CHECK(allGather.get().size() == allRuns(c).size());
            CHECK(everywhere == allRuns(c));
            CHECK(gather.get().size() == (isRoot ? gathered.size() : 0));
            CHECK(gathered == (isRoot ? allRuns(c) : untouchedInts(gathered.size())));
            allToAll.get();
            CHECK(column == forEachRank(c, [&](int from) { return 100 * from + c.rank(); }));
        }
        c.barrier();
        CHECK(!hasStepsLeft(c));
    });
}

TEST_CASE("Started into memory: counts and displacements go in and out, and memory between the blocks stays as it is") {
    onRanksAndSimulated([](Connector& c) {
        const std::vector<int> sizes = allRanks(c);
        std::vector<int> places, countsOut, placesOut;
        for (int rank = 0, next = 1; rank < c.size(); next += 1 + rank++) places.push_back(next);    // a gap before each block
        std::vector<int> memory = untouchedInts(placeOfRank(places.back() + c.size()));
        Filled spread = c.startAllGather(runOf(c.rank()), {.counts = std::vector<int>(sizes),
                                                           .displacements = std::vector<int>(places),
                                                           .into = memory,
                                                           .countsOut = &countsOut,
                                                           .displacementsOut = &placesOut});
        c.barrier();
        CHECK(countsOut.empty());
        spread.get();
        CHECK(countsOut == sizes);
        CHECK(placesOut == places);
        for (int rank = 0; rank < c.size(); ++rank) {
            CHECK(memory[placeOfRank(places[placeOfRank(rank)]) - 1] == -1);
            for (int i = 0; i < rank; ++i) CHECK(memory[placeOfRank(places[placeOfRank(rank)] + i)] == rank);
        }

        std::vector<int> kept(100, -1);
        Filled flat = c.startAllToAll(forEachRank(c, [&](int to) { return c.rank() * 10 + to; }),
                                      {.countsFrom = onesToEach(c), .into = grown(kept), .displacementsOut = &placesOut});
        CHECK(flat.get().size() == countOfRanks(c));
        CHECK(kept.size() == 100);
        CHECK(placesOut == allRanks(c));

        const int last = c.size() - 1;
        std::vector<int> backwards = forEachRank(c, [&](int rank) { return last - rank; });
        std::vector<int> mine(1);
        c.startScatter(allRanks(c), {.root = last, .counts = onesToEach(c), .displacements = backwards, .into = mine}).get();
        CHECK(mine.front() == last - c.rank());
        std::vector<int> gathered;
        Filled onRoot = c.startGather(runOf(c.rank()), {.root = last, .into = resized(gathered), .countsOut = &countsOut});
        onRoot.get();
        CHECK(gathered == (c.rank() == last ? allRuns(c) : std::vector<int>()));
        CHECK(countsOut == (c.rank() == last ? allRanks(c) : std::vector<int>()));
    });
}

TEST_CASE("Started into memory: only get() touches the memory, and the own elements are copied at the start") {
    onRanksAndSimulated([](Connector& c) {
        std::vector<int> own{c.rank() + 1};
        auto memory = std::make_unique<std::vector<int>>(untouchedInts(countOfRanks(c)));
        Filled kept = c.startAllGather(own, {.into = *memory});
        own.front() = 1000;
        while (!kept.ready()) {}
        CHECK(*memory == untouchedInts(countOfRanks(c)));
        kept.get();
        CHECK(memory->back() == c.size());

        std::vector<int> shared(3, c.rank());
        Pending<void> broadcast = c.startBroadcast(std::span(shared), 0);
        if (c.rank() == 0) shared.assign(3, 77);
        broadcast.get();
        CHECK(shared == std::vector<int>(3, c.rank() == 0 ? 77 : 0));

        auto dropped = std::make_unique<std::vector<int>>(untouchedInts(countOfRanks(c)));
        {
            const Filled pending = c.startAllGather(std::vector<int>{c.rank()}, {.into = *dropped});
            if (c.rank() % 2 == 0) dropped.reset();    // the memory ends before the Pending, which is not asked
        }
        c.finishStarted();
        if (dropped) CHECK(*dropped == untouchedInts(countOfRanks(c)));
        c.barrier();
    });
}

TEST_CASE("Started into memory: an error of an operator or of another rank leaves the memory as it is") {
    onRanksAndSimulated(
        [](Connector& c) {
            const auto overflow = [](int, int) -> int { throw std::overflow_error("over"); };
            std::vector<int> memory = untouchedInts(2);
            Filled all = c.startAllReduce(std::vector<int>{1, 2}, overflow, {.into = memory});
            Filled longer = c.startAllReduce(std::vector<int>(c.rank() == 0 ? 1 : 2), Sum{}, {.into = memory});
            Filled good = c.startAllReduce(std::vector<int>{1, 2}, Sum{}, {.into = memory});
            CHECK_THROWS_AS(all.get(), std::overflow_error);
            CHECK(!all.isUnderWay());
            CHECK_THROWS_AS(longer.get(), CollectiveMismatch);
            CHECK(memory == untouchedInts(2));
            good.get();
            CHECK(memory == std::vector<int>{c.size(), 2 * c.size()});
        },
        2);
}

TEST_CASE("Started into memory: memory that is too small, and counts that are wrong, are errors of the rank that has them") {
    onRanksAndSimulated(
        [](Connector& c) {
            const bool isLast = c.rank() == c.size() - 1;
            std::vector<int> memory = untouchedInts(isLast ? countOfRanks(c) - 1 : countOfRanks(c));
            Filled small = c.startAllGather(std::vector<int>{c.rank()}, {.into = memory});
            if (isLast) {
                CHECK_THROWS_WITH_AS(small.get(), doctest::Contains("started allGather gives"), UsageError);
                CHECK(memory == untouchedInts(countOfRanks(c) - 1));
            } else {
                small.get();
                CHECK(memory == allRanks(c));
            }
            std::vector<int> wrong = onesToEach(c);
            if (isLast) wrong.front() = 2;
            std::vector<int> place = untouchedInts(countOfRanks(c));
            Filled counted = c.startAllGather(std::vector<int>{c.rank()}, {.counts = wrong, .into = place});
            if (isLast) {
                CHECK_THROWS_AS(counted.get(), CollectiveMismatch);
                CHECK(place == untouchedInts(countOfRanks(c)));
            } else {
                counted.get();
            }
            std::vector<int> shared(isLast ? 4 : 3);
            Pending<void> broadcast = c.startBroadcast(std::span(shared), 0);
            if (isLast) CHECK_THROWS_AS(broadcast.get(), CollectiveMismatch);
            if (!isLast) broadcast.get();
            std::vector<int> over(countOfRanks(c), -1);
            Filled overlapping = c.startAllGather(std::vector<int>{1}, {.displacements = std::vector<int>(countOfRanks(c)), .into = over});
            CHECK_THROWS_AS(overlapping.get(), UsageError);
            CHECK(over == untouchedInts(countOfRanks(c)));
            c.barrier();
        },
        2);
}

TEST_CASE("Started into memory: elements that cannot be divided among the ranks are an error on every rank") {
    onRanksAndSimulated(
        [](Connector& c) {
            std::vector<int> mine = untouchedInts(1);
            std::vector<int> column = untouchedInts(countOfRanks(c));
            const std::vector<int> row(countOfRanks(c) + 1);
            const std::vector<int> tooFar(countOfRanks(c), 100);
            Filled scattered = c.startScatter(row, {.root = 1, .into = mine});
            Filled placed = c.startScatter(row, {.root = 1, .counts = onesToEach(c), .displacements = tooFar, .into = mine});
            Filled exchanged = c.startAllToAll(c.rank() == 1 ? row : allRanks(c), {.into = column});
            CHECK_THROWS_AS(scattered.get(), UsageError);
            CHECK_THROWS_AS(placed.get(), UsageError);
            CHECK_THROWS_AS(exchanged.get(), UsageError);
            CHECK(mine == untouchedInts(1));
            CHECK(column == untouchedInts(countOfRanks(c)));
            c.barrier();
        },
        2);
}

TEST_CASE("Started into memory: a deadline belongs to get(), after which the memory can still be filled") {
    onRanksAndSimulated(
        [](Connector& c) {
            const bool isLate = c.rank() == c.size() - 1;
            std::vector<int> memory = untouchedInts(1);
            CHECK_THROWS_AS(c.startAllReduce(memory, Sum{}, {.into = memory, .deadline = Deadline::in(1s)}), UsageError);
            CHECK_THROWS_AS(c.startGather(memory, {.root = c.size(), .into = memory}), UsageError);
            if (isLate) {
                for (int rank = 0; rank + 1 < c.size(); ++rank) CHECK(c.receive<bool>(rank));
            }
            Filled sum = c.startAllReduce(std::vector<int>{1}, Sum{}, {.into = memory});
            if (!isLate) {
                CHECK_THROWS_AS(sum.get(Deadline::in(5ms)), TimeoutError);
                CHECK(memory == untouchedInts(1));
                c.send(c.size() - 1, true);
            }
            sum.get();
            CHECK(memory.front() == c.size());
        },
        2);
}

TEST_CASE("Started into memory: a guarded region that fails leaves the memory of its collectives as it is") {
    onRanksAndSimulated(
        [](Connector& c) {
            std::vector<int> memory = untouchedInts(1);
            Filled sum;
            try {
                c.guarded([&] {
                    if (c.rank() == 1) throw std::runtime_error("before the collective");
                    sum = c.startAllReduce(std::vector<int>{1}, Sum{}, {.into = memory});
                    sum.get();
                });
                FAIL_CHECK("rank 1 has failed");
            } catch (const ExceptionList&) {}
            if (sum.isUnderWay()) CHECK_THROWS_AS(sum.get(), Cancelled);
            CHECK(memory == untouchedInts(1));
            c.barrier();
        },
        2);
}

TEST_CASE("Started into memory: ranks with and without memory of their own, and with elements in any sequence, meet each other") {
    onRanksAndSimulated([](Connector& c) {
        std::vector<int> memory = untouchedInts(countOfRanks(c));
        if (c.rank() % 2 == 0) {
            const int own[] = {c.rank()};
            c.startAllGather(own, {.into = memory}).get();
        } else {
            memory = c.startAllGather(std::vector<int>{c.rank()}).get();
        }
        CHECK(memory == allRanks(c));

        std::vector<LocalReading> readings(countOfRanks(c), LocalReading{0, 5});
        c.startAllGather(std::array{LocalReading{1.0 * c.rank(), 9}}, {.into = readings}).get();
        for (int rank = 0; rank < c.size(); ++rank) {
            CHECK(readings[placeOfRank(rank)].value == rank);
            CHECK(readings[placeOfRank(rank)].local == 5);
        }
    });
}

TEST_CASE("Started into memory: operations with memory are awaited together with others") {
    onRanksAndSimulated([](Connector& c) {
        std::vector<int> first(countOfRanks(c)), second(countOfRanks(c));
        std::vector<Filled> both;
        both.push_back(c.startAllGather(std::vector<int>{1}, {.into = first}));
        both.push_back(c.startAllGather(std::vector<int>{2}, {.into = second}));
        CHECK(waitAll(both).size() == 2);
        CHECK(first == std::vector<int>(countOfRanks(c), 1));
        CHECK(second == std::vector<int>(countOfRanks(c), 2));
        auto [filled, sum] = waitAll(c.startAllGather(std::vector<int>{3}, {.into = first}), c.startAllReduce(1, Sum{}));
        CHECK(filled.size() == countOfRanks(c));
        CHECK(sum == c.size());
    });
}
