#include <ferry/connector/message/state/Regions.hpp>
#include <ferry/tests/connector/GuardedRegion.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/serialization/exception/ThrowHook.hpp>
#include <ferry/tests/connector/TestMessages.hpp>

using namespace ferry;
using namespace ferry::test;

namespace ferry::test {

/// A message that cannot be written or cannot be read, depending on its flag.
class Awkward : public Message {
public:
    FERRY_CLASS(ferry::test::Awkward)
    Awkward() = default;
    explicit Awkward(bool failsInWriting) : failsInWriting_(failsInWriting) {}
    void writeToInts(IntWriter& out) const override {
        if (failsInWriting_) throw std::length_error("too long to write");
        out << 1;
    }
    void readFromInts(IntReader& in) override {
        in.readInt();
        throw std::length_error("too long to read");
    }

private:
    bool failsInWriting_ = false;
};

}    // namespace ferry::test

TEST_CASE("guarded: returns what the function returns, on each rank its own") {
    onRanks([](Connector& c) {
        CHECK(c.guarded([&] { return c.rank() * 2; }) == c.rank() * 2);
        CHECK(c.guarded([] { return std::string("text"); }) == "text");
        int runs = 0;
        c.guarded([&runs] { ++runs; });
        CHECK(runs == 1);
        checkUsable(c);
    });
}

TEST_CASE("guarded: a rank that throws before, between or after collectives takes all ranks out of the region") {
    onRanks([](Connector& c) {
        const auto run = [&c](int place) {
            return failuresOf(c, [&c, place] {
                for (int step = 0; step < 4; ++step) {
                    if (step == place) throwOnLast(c);
                    c.barrier();
                    c.allReduce(c.rank(), Sum{});
                    c.broadcast(std::vector<double>(1000, 1.0), lastRank(c));
                }
                throwOnLast(c);
            });
        };
        for (int place = 0; place < 5; ++place) checkOneFailure(c, run(place), "matrix is singular");
    });
}

TEST_CASE("guarded: whatever call the others wait in, they are woken") {
    onRanks(
        [](Connector& c) {
            const auto check = [&c](const auto& wait) {
                const ExceptionList failures = failuresOf(c, [&] {
                    throwOnLast(c);
                    wait();
                });
                checkOneFailure(c, failures, "matrix is singular");
                CHECK(failures.front().as<std::domain_error>() != nullptr);
            };
            check([&] { c.receive<int>(lastRank(c)); });
            check([&] { c.receive<Ping>(); });
            check([&] { c.receive(lastRank(c)); });
            check([&] { c.receiveGraph<Ping>(lastRank(c)); });
            check([&] { c.barrier(); });
            check([&] { c.broadcast(1, lastRank(c)); });
            check([&] {
                c.gather(1, 0);
                c.barrier();
            });
            check([&] {
                c.reduce(1, Sum{}, 0);
                c.barrier();
            });
            check([&] {
                c.scan(1, Sum{});
                c.barrier();
            });
            check([&] { c.allGather(1); });
            check([&] { c.scatter(std::vector<int>(static_cast<std::size_t>(c.size()), 1), lastRank(c)); });
            check([&] { c.allToAll(std::vector<int>(static_cast<std::size_t>(c.size()), 1)); });
            check([&] {
                for (;;) c.poll();
            });
            check([&] {
                for (;;) c.flush();
            });
            check([&] {
                for (;;) c.send(c.rank(), 1);
            });
            check([] {});
        },
        2);
}

TEST_CASE("guarded: failures of several ranks come in one list, which is the same on every rank") {
    onRanks([](Connector& c) {
        const ExceptionList failures = failuresOf(c, [&] { throw Overloaded(c.rank(), {"A"}); });
        REQUIRE(failures.size() == static_cast<std::size_t>(c.size()));
        std::vector<int> order;    // the failures are independent, so any order is correct; the order is the same on all ranks
        for (const Failure& failure : failures) {
            order.push_back(failure.rank());
            REQUIRE(failure.as<Overloaded>() != nullptr);
            CHECK(failure.as<Overloaded>()->limit == failure.rank());
            CHECK(failure.typeName() == "ferry::test::Overloaded");
        }
        CHECK(c.broadcast(order) == order);
        std::sort(order.begin(), order.end());
        for (int rank = 0; rank < c.size(); ++rank) CHECK(order[static_cast<std::size_t>(rank)] == rank);
        checkUsable(c);
    });
}

TEST_CASE("guarded: equal failures of several ranks are one, with the list of the ranks") {
    onRanks([](Connector& c) {
        const ExceptionList failures = failuresOf(c, [] { throw std::runtime_error("no licence"); });
        REQUIRE(failures.size() == 1);
        std::vector<int> all;
        for (int rank = 0; rank < c.size(); ++rank) all.push_back(rank);
        CHECK(failures.front().ranks() == all);
        CHECK(failures.what() == "1 failure, on rank " + std::to_string(failures.front().rank()) + ": no licence");
        CHECK_THROWS_WITH(failures.front().rethrow(), "no licence");
        checkUsable(c);
    });
}

TEST_CASE("guarded: a failure comes before the failures that it caused, whatever their ranks") {
    onRanks(
        [](Connector& c) {
            const ExceptionList failures = failuresOf(c, [&] {
                throwOnLast(c);
                try {
                    c.receive<int>(lastRank(c));
                } catch (const RegionFailed&) {
                    throw std::runtime_error("nothing from the last rank, rank " + std::to_string(c.rank()));
                }
            });
            REQUIRE(failures.size() == static_cast<std::size_t>(c.size()));
            CHECK(failures.front().what() == std::string("matrix is singular"));
            CHECK(failures.of<std::domain_error>().size() == 1);
            CHECK(failures.of<std::runtime_error>().size() == static_cast<std::size_t>(c.size() - 1));
            CHECK(std::string(failures.what()) ==
                  std::to_string(c.size()) + " failures, first on rank " + std::to_string(lastRank(c)) + ": matrix is singular");
        },
        2);
}

TEST_CASE("guarded: the exception that was thrown first is the cause, though its rank leaves the region after the others") {
    struct Farewell {    // sends to rank 0, and stays until rank 0 has failed too
        Connector& c;
        ~Farewell() {
            if (c.rank() != lastRank(c)) return;
            c.send(0, 1);
            while (!detail::mailboxOf(c).regions().hasInnermostFailed()) c.poll();
        }
    };
    if (!isThrowHookLinked()) return;    // without the throw hook, only the time of leaving is known
    onRanks(
        [](Connector& c) {
            const ExceptionList failures = failuresOf(c, [&] {
                const Farewell farewell{c};
                throwOnLast(c);
                c.receive<int>(lastRank(c));
                throw std::runtime_error("rank 0 was told");
            });
            REQUIRE(failures.size() == 2);
            CHECK(failures.front().rank() == lastRank(c));
            CHECK(failures[1].what() == std::string("rank 0 was told"));
            checkUsable(c);
        },
        2);
}

TEST_CASE("guarded: ranks that disagree on collectives without waiting for each other fail at the end of the region") {
    onRanks(
        [](Connector& c) {
            for (int round = 0; round < 20; ++round) {
                const ExceptionList others = failuresOf(c, [&] {
                    if (c.isMaster()) {
                        c.broadcast(1, 0);
                    } else {
                        c.gather(1, 0);
                    }
                });
                CHECK(others.size() >= 1);
                CHECK(others.of<CollectiveMismatch>().size() == others.size());
                const ExceptionList numbers = failuresOf(c, [&] {
                    if (c.isMaster()) c.broadcast(1, 0);
                });
                CHECK(numbers.size() >= 1);
                CHECK(numbers.of<CollectiveMismatch>().size() == numbers.size());
                c.guarded([] {});
            }
            checkUsable(c);
        },
        2);
}

TEST_CASE("guarded: an exception of an operator leaves no rank waiting") {
    onRanks(
        [](Connector& c) {
            const auto combineTwo = [](int, int) -> int { throw std::overflow_error("over"); };
            for (int way = 0; way < 3; ++way) {
                const ExceptionList failures = failuresOf(c, [&] {
                    if (way == 0) c.allReduce(1, combineTwo);
                    if (way == 1) c.reduce(1, combineTwo, lastRank(c));
                    if (way == 2) c.scan(1, combineTwo);
                    c.barrier();
                });
                REQUIRE(failures.size() >= 1);
                CHECK(failures.of<std::overflow_error>().size() == failures.size());
                checkUsable(c);
            }
        },
        2);
}

TEST_CASE("guarded: a value that cannot be written or read leaves no rank waiting") {
    onRanks(
        [](Connector& c) {
            for (const bool inWriting : {true, false}) {
                const std::string text = inWriting ? "too long to write" : "too long to read";
                const auto check = [&](const auto& exchange) {
                    const ExceptionList failures = failuresOf(c, [&] {
                        exchange(Awkward(inWriting));
                        c.barrier();
                    });
                    REQUIRE(failures.size() >= 1);
                    for (const Failure& failure : failures) CHECK(failure.what() == text);
                    checkUsable(c);
                };
                check([&](const Awkward& object) {
                    if (c.rank() == 0) c.send(1, object);
                    if (c.rank() == 1) c.receive<Awkward>(0);
                });
                check([&](const Awkward& object) { c.broadcast(object, lastRank(c)); });
                check([&](const Awkward& object) { c.gather(object, lastRank(c)); });
                check([&](const Awkward& object) { c.allGather(object); });
                check([&](const Awkward& object) {
                    c.scatter(std::vector<Awkward>(static_cast<std::size_t>(c.size()), object), lastRank(c));
                });
                check([&](const Awkward& object) { c.allToAll(std::vector<Awkward>(static_cast<std::size_t>(c.size()), object)); });
            }
        },
        2);
}
