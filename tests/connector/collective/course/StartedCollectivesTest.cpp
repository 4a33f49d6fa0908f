#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/tests/connector/TestMessages.hpp>
#include <ferry/tests/connector/collective/StartedValues.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

/// Started collectives with the checks of their values. The checks can be called in any order.
class UnderWay {
public:
    template <class T, class Expected>
    void add(Pending<T> pending, Expected expected) {
        auto held = std::make_shared<Pending<T>>(std::move(pending));
        checks_.push_back([held, expected] { CHECK(held->get() == expected); });
    }
    void add(Pending<void> pending) {
        auto held = std::make_shared<Pending<void>>(std::move(pending));
        checks_.push_back([held] { held->get(); });
    }

    /// Calls all checks, beginning with `first`, in steps of length `step`.
    void checkAll(std::size_t first, std::size_t step) {
        for (std::size_t i = 0; i < checks_.size(); ++i) checks_[(first + i * step) % checks_.size()]();
        checks_.clear();
    }
    std::size_t count() const { return checks_.size(); }

private:
    std::vector<std::function<void()>> checks_;
};

/// Starts one collective of each kind.
void startAll(Connector& c, UnderWay& underWay, int round) {
    const int root = round % c.size();
    const bool isRoot = c.rank() == root;
    const auto onRoot = [isRoot](auto value) { return isRoot ? value : decltype(value){}; };
    underWay.add(c.startBarrier());
    underWay.add(c.startBroadcast(isRoot ? round : -1, root), round);
    underWay.add(c.startBroadcast(isRoot ? runOf(round % 5) : std::vector<int>(), root), runOf(round % 5));
    underWay.add(c.startGather(c.rank(), root), onRoot(allRanks(c)));
    underWay.add(c.startGather(runOf(c.rank()), root), onRoot(allRuns(c)));
    underWay.add(c.startAllGather(c.rank()), allRanks(c));
    underWay.add(c.startAllGather(runOf(c.rank())), allRuns(c));
    underWay.add(c.startScatter(onRoot(forEachRank(c, carOf)), root), carOf(c.rank()));
    underWay.add(c.startScatter(onRoot(forEachRank(c, runOf)), root), runOf(c.rank()));
    underWay.add(c.startAllToAll(forEachRank(c, [&](int to) { return 100 * c.rank() + to; })),
                 forEachRank(c, [&](int from) { return 100 * from + c.rank(); }));
    underWay.add(c.startReduce(c.rank() + round, Sum{}, root), onRoot(sumOfRanks(c) + c.size() * round));
    underWay.add(c.startAllReduce(carOf(c.rank()), coupled), trainOf(0, c.size() - 1));
    underWay.add(c.startAllReduce(std::vector<int>{c.rank(), round}, Sum{}), std::vector<int>{sumOfRanks(c), c.size() * round});
    underWay.add(c.startReduceScatter(forEachRank(c, [&](int to) { return to + round; }), Sum{}),
                 std::vector<int>{c.size() * (c.rank() + round)});
    underWay.add(c.startScan(carOf(c.rank()), coupled), trainOf(0, c.rank()));
    underWay.add(c.startExclusiveScan(c.rank() + 1, Sum{}, 7), c.rank() == 0 ? 7 : c.rank() * (c.rank() + 1) / 2);
}

}    // namespace

TEST_CASE("Started collectives: each has the value of its blocking form, for numbers, vectors and objects, from any root") {
    onRanks([](Connector& c) {
        for (int round = 0; round < 2 * c.size(); ++round) {
            UnderWay underWay;
            startAll(c, underWay, round);
            underWay.checkAll(0, 1);
        }
    });
}

TEST_CASE("Started collectives: a hundred under way at once are taken in any order, another one on each rank, with blocking ones between") {
    onRanks([](Connector& c) {
        UnderWay underWay;
        for (int round = 0; underWay.count() < 100; ++round) {
            startAll(c, underWay, round);
            if (round % 2 == 0) CHECK(c.allReduce(1, Sum{}) == c.size());
            if (round % 3 == 0) c.send(nextRank(c), round);
            if (round % 3 == 0) CHECK(c.receive<int>(previousRank(c)) == round);
        }
        constexpr std::size_t coprime = 37;    // coprime to the number of collectives
        REQUIRE(std::gcd(underWay.count(), coprime) == 1);
        underWay.checkAll(at(c.rank()) * 13, coprime);
        c.barrier();
    });
}

TEST_CASE("Started collectives: vectors of objects, of bool, of vectors, and of different classes") {
    onRanks([](Connector& c) {
        const std::vector<Train> own(at(c.rank() % 3), carOf(c.rank()));
        Pending<std::vector<Train>> trains = c.startAllGather(own);
        Pending<std::vector<bool>> bits = c.startAllGather(std::vector<bool>{c.rank() == 0, true});
        Pending<std::vector<bool>> all = c.startAllReduce(std::vector<bool>{true, c.rank() == 0}, And{});
        Pending<std::vector<bool>> whoseBits = c.startAllToAll(std::vector<bool>(at(c.size()), c.rank() == 0));
        Pending<std::vector<Train>> blocks = c.startReduceScatter(forEachRank(c, [&](int) { return carOf(c.rank()); }), coupled);
        using Either = std::variant<int, std::string, Train>;
        const auto eitherFor = [](int from, int to) {
            return to % 3 == 0 ? Either(from) : to % 3 == 1 ? Either("text") : Either(carOf(from));
        };
        Pending<std::vector<Either>> mixed = c.startAllToAll(forEachRank(c, [&](int to) { return eitherFor(c.rank(), to); }));

        std::size_t trainCount = 0;
        for (int rank = 0; rank < c.size(); ++rank) trainCount += at(rank % 3);
        CHECK(trains.get().size() == trainCount);
        CHECK(bits.get().size() == 2 * at(c.size()));
        CHECK(all.get() == std::vector<bool>{true, c.size() == 1});
        const std::vector<bool> received = whoseBits.get();
        for (int rank = 0; rank < c.size(); ++rank) CHECK(received[at(rank)] == (rank == 0));
        CHECK(blocks.get() == std::vector<Train>{trainOf(0, c.size() - 1)});
        CHECK(mixed.get() == forEachRank(c, [&](int rank) { return eitherFor(rank, c.rank()); }));
    });
}

TEST_CASE("Started collectives: the values belong to the operation, objects that cannot be copied too") {
    onRanks([](Connector& c) {
        Pending<std::vector<int>> numbers = [&] {
            std::vector<int> local = runOf(c.rank());
            return c.startAllGather(std::move(local));
        }();
        Pending<std::unique_ptr<int>> owned = c.startBroadcast(std::make_unique<int>(c.rank()), c.size() - 1);
        Pending<std::vector<std::unique_ptr<int>>> parts =
            c.startAllToAll(forEachRank(c, [&](int to) { return std::make_unique<int>(10 * c.rank() + to); }));
        CHECK(numbers.get() == allRuns(c));
        CHECK(*owned.get() == c.size() - 1);
        const std::vector<std::unique_ptr<int>> received = parts.get();
        for (int rank = 0; rank < c.size(); ++rank) CHECK(*received.at(at(rank)) == 10 * rank + c.rank());
        CHECK(c.startAllGather(Ping(c.rank())).get().back().number == c.size() - 1);
    });
}

TEST_CASE("Started collectives: they go on while their rank uses the connector for other things, and get() finds them done") {
    onRanks([](Connector& c) {
        Pending<Train> train = c.startAllReduce(carOf(c.rank()), coupled);
        Pending<int> total = c.startReduce(1, Sum{}, c.size() - 1);
        while (!train.ready()) {}
        c.startBarrier().get();
        while (!total.ready()) c.poll();
        CHECK(train.get() == trainOf(0, c.size() - 1));
        CHECK(total.get(Deadline::in(std::chrono::seconds(-1))) == (c.rank() + 1 == c.size() ? c.size() : 0));
        CHECK_THROWS_AS(train.get(), UsageError);    // the value was taken already
    });
}

TEST_CASE("Started collectives: a rank that drops or replaces its Pending keeps no other rank waiting") {
    onRanks([](Connector& c) {
        for (int dropper = 0; dropper < c.size(); ++dropper) {
            std::optional<Pending<Train>> train = c.startAllReduce(carOf(c.rank()), coupled);
            Pending<std::vector<int>> numbers = c.startAllGather(c.rank());
            Pending<int> sum = c.startScan(1, Sum{});
            if (c.rank() == dropper) {
                train.reset();
                numbers.cancel();
                sum = c.startScan(2, Sum{});
                static_cast<void>(sum.get());
                continue;
            }
            CHECK(numbers.get() == allRanks(c));
            CHECK(train->get() == trainOf(0, c.size() - 1));
            CHECK(sum.get() == c.rank() + 1);
            sum = c.startScan(2, Sum{});
            CHECK(sum.get() == 2 * (c.rank() + 1));
        }
        for (int round = 0; round < 20; ++round) static_cast<void>(c.startAllGather(runOf(c.rank())));
        c.finishStarted();
        c.barrier();
        CHECK_FALSE(hasStepsLeft(c));
    });
}

TEST_CASE("Started collectives: a rank that goes to the end of its program at once does its part in close()") {
    onRanks([](Connector& c) {
        Pending<Train> train = c.startAllReduce(carOf(c.rank()), coupled);
        if (c.rank() % 2 == 0) return;
        CHECK(train.get() == trainOf(0, c.size() - 1));
    });
}

TEST_CASE("Started collectives: flush does not wait for other ranks to start theirs") {
    onRanks([](Connector& c) {
        Pending<void> all;
        if (c.rank() == 0) {
            all = c.startBarrier();
            c.flush();
            for (int rank = 1; rank < c.size(); ++rank) c.send(rank, 1);
        } else {
            CHECK(c.receive<int>(0) == 1);
            all = c.startBarrier();
        }
        all.get();
    });
}

TEST_CASE("Started collectives: nobody is through a barrier that a rank has not started") {
    onRanks(
        [](Connector& c) {
            const int last = c.size() - 1;
            if (c.rank() == last) {
                for (int rank = 0; rank < last; ++rank) CHECK(c.receive<bool>(rank));
            }
            Pending<void> all = c.startBarrier();
            if (c.rank() != last) {
                for (int round = 0; round < 50; ++round) CHECK_FALSE(all.ready());
                c.send(last, true);
            }
            all.get();
        },
        2);
}

TEST_CASE("exclusiveScan: gives the combined values of the ranks before") {
    onRanks([](Connector& c) {
        CHECK(c.exclusiveScan(c.rank() + 1, Sum{}) == c.rank() * (c.rank() + 1) / 2);
        CHECK(c.exclusiveScan(2, Product{}, 1) == 1 << c.rank());
        CHECK(c.exclusiveScan(carOf(c.rank()), coupled) == trainOf(0, c.rank() - 1));
        const std::vector<int> zeros(2);
        CHECK(c.exclusiveScan(std::vector<int>{1, 2}, Sum{}, zeros) == std::vector<int>{c.rank(), 2 * c.rank()});
    });
}

TEST_CASE("reduceScatter: each rank gets its block of the combined vector, of equal or differing lengths") {
    onRanks([](Connector& c) {
        const std::vector<int> firsts = forEachRank(c, [](int to) { return 10 * to; });
        std::vector<int> pairs;
        std::vector<std::size_t> lengths;
        std::vector<Train> cars;
        for (int to = 0; to < c.size(); ++to) {
            pairs.insert(pairs.end(), {to + c.rank(), -to});
            lengths.push_back(at(to));
            cars.insert(cars.end(), at(to), carOf(c.rank()));
        }
        CHECK(c.reduceScatter(firsts, Sum{}) == std::vector<int>{10 * c.rank() * c.size()});
        CHECK(c.reduceScatter(pairs, Sum{}) == std::vector<int>{c.rank() * c.size() + sumOfRanks(c), -c.rank() * c.size()});
        const std::vector<Train> expected(at(c.rank()), trainOf(0, c.size() - 1));
        CHECK(c.reduceScatter(cars, coupled, lengths) == expected);
        CHECK(c.startReduceScatter(cars, coupled, lengths).get() == expected);
        CHECK(c.reduceScatter(std::vector<int>(), Sum{}).empty());
        CHECK(c.reduceScatter(std::vector<bool>(at(c.size()), c.rank() == 0), Or{}) == std::vector<bool>{true});
    });
}
