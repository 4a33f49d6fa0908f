#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/tests/connector/GuardedRegion.hpp>
#include <ferry/tests/connector/collective/StartedValues.hpp>
#include <ferry/tests/support/Ranks.hpp>
#include <ferry/tests/support/ThrownBy.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace startedfailurestest {

/// A number that cannot be written when it is 13, and cannot be read when it is 17.
struct Fussy {
    int number = 0;
    void writeToInts(IntWriter& out) const {
        if (number == 13) throw std::range_error("13 is not written");
        out << number;
    }
    void readFromInts(IntReader& in) {
        in >> number;
        if (number == 17) throw std::domain_error("17 is not read");
    }
};

template <class E, class T>
bool failsWith(Pending<T>& pending) {
    try {
        static_cast<void>(pending.get());
    } catch (const E&) {
        return true;
    }
    return false;
}

}    // namespace startedfailurestest

using namespace startedfailurestest;

TEST_CASE("Started collectives: a value that cannot be written is thrown where it is needed, and where it was to be written") {
    onRanks([](Connector& c) {
        const int last = lastRank(c);
        const Fussy own{c.rank() == last ? 13 : 1};
        Pending<Fussy> broadcast = c.startBroadcast(own, last);
        Pending<std::vector<Fussy>> gathered = c.startGather(own, 0);
        Pending<std::vector<Fussy>> everywhere = c.startAllGather(own);
        Pending<std::vector<Fussy>> scattered = c.startAllToAll(std::vector<Fussy>(static_cast<std::size_t>(c.size()), own));
        const bool isAlone = c.size() == 1;    // on a single rank, only the shared value of the broadcast is written
        CHECK(failsWith<std::range_error>(broadcast));
        CHECK(failsWith<std::range_error>(gathered) == (!isAlone && (c.rank() == 0 || c.rank() == last)));
        CHECK(failsWith<std::range_error>(everywhere));
        CHECK(failsWith<std::range_error>(scattered) == (!isAlone && c.rank() != last));
        checkUsable(c);
    });
}

TEST_CASE("Started collectives: a value that cannot be read is thrown on the ranks that read it") {
    onRanks(
        [](Connector& c) {
            const int last = lastRank(c);
            const Fussy own{c.rank() == last ? 17 : 1};
            Pending<Fussy> broadcast = c.startBroadcast(own, last);
            Pending<std::vector<Fussy>> gathered = c.startGather(own, 0);
            Pending<std::vector<Fussy>> everywhere = c.startAllGather(own);
            CHECK(failsWith<std::domain_error>(broadcast) == (c.rank() != last));
            CHECK(failsWith<std::domain_error>(gathered) == (c.rank() == 0));
            CHECK(failsWith<std::domain_error>(everywhere));
            checkUsable(c);
        },
        2);
}

TEST_CASE("Started collectives: what an operator throws arrives on every rank that needs the value") {
    onRanks(
        [](Connector& c) {
            const auto overflow = [](int, int) -> int { throw std::overflow_error("over"); };
            const std::vector<int> ones(static_cast<std::size_t>(c.size()), 1);
            Pending<int> all = c.startAllReduce(1, overflow);
            Pending<int> root = c.startReduce(1, overflow, lastRank(c));
            Pending<int> scanned = c.startScan(1, overflow);
            Pending<int> before = c.startExclusiveScan(1, overflow);
            Pending<std::vector<int>> blocks = c.startReduceScatter(ones, overflow);
            Pending<int> good = c.startAllReduce(1, Sum{});
            CHECK(failsWith<std::overflow_error>(blocks));
            CHECK(failsWith<std::overflow_error>(scanned) == (c.rank() > 0));
            CHECK(failsWith<std::overflow_error>(before) == (c.rank() > 1));
            CHECK(failsWith<std::overflow_error>(all));
            const bool isThrownHere = failsWith<std::overflow_error>(root);
            if (c.rank() == lastRank(c)) CHECK(isThrownHere);
            CHECK(good.get() == c.size());
            checkUsable(c);
            CHECK_THROWS_AS(c.reduceScatter(ones, overflow), std::overflow_error);
            CHECK((thrownBy([&] { c.exclusiveScan(1, overflow); }) != nullptr) == (c.rank() > 1));
            c.barrier();
        },
        2);
}

TEST_CASE("reduceScatter, startReduceScatter: vectors that cannot be divided, or differ, are an error on every rank") {
    onRanks([](Connector& c) {
        const auto size = static_cast<std::size_t>(c.size());
        const std::vector<int> values(size + 1);
        const std::vector<std::size_t> tooMany(size, 3);
        const std::vector<std::size_t> tooFew(size + 1, 1);
        CHECK_THROWS_AS(c.reduceScatter(values, Sum{}, tooMany), UsageError);
        CHECK_THROWS_AS(c.reduceScatter(values, Sum{}, tooFew), UsageError);
        CHECK_THROWS_AS(c.startReduceScatter(values, Sum{}, tooFew).get(), UsageError);
        if (c.size() == 1) return;
        CHECK_THROWS_AS(c.reduceScatter(values, Sum{}), UsageError);
        CHECK_THROWS_AS(c.startReduceScatter(values, Sum{}).get(), UsageError);
        const std::vector<int> longOnOne(c.rank() == 1 ? 2 * size : size);
        CHECK_THROWS_AS(c.reduceScatter(longOnOne, Sum{}), CollectiveMismatch);
        CHECK_THROWS_AS(c.startReduceScatter(longOnOne, Sum{}).get(), CollectiveMismatch);
        std::vector<std::size_t> lengths(size, 1);
        if (c.rank() == 1) {
            lengths[0] = 2;
            lengths[1] = 0;
        }
        Pending<std::vector<int>> blocks = c.startReduceScatter(std::vector<int>(size), Sum{}, lengths);
        CHECK(failsWith<CollectiveMismatch>(blocks) == (c.rank() == 1));    // only the lengths on rank 0 count
        c.barrier();
    });
}

TEST_CASE("Started collectives: without a value for each rank they are an error on every rank") {
    onRanks([](Connector& c) {
        const auto size = static_cast<std::size_t>(c.size());
        CHECK_THROWS_AS(c.startScatter(std::vector<int>(size + 1)).get(), UsageError);
        CHECK_THROWS_AS(c.startAllToAll(std::vector<int>(c.rank() == 0 ? 0 : size)).get(), UsageError);
        CHECK_THROWS_AS(static_cast<void>(c.startBroadcast(1, c.size())), UsageError);
        c.barrier();
    });
}

TEST_CASE("Started collectives: an operator that waits in the connector is told that it must not") {
    onRanks(
        [](Connector& c) {
            const auto waiting = [&c](int left, int right) { return left + right + c.receive<int>(c.rank(), Deadline::in(1s)); };
            CHECK_THROWS_AS(c.startAllReduce(1, waiting).get(), UsageError);
            c.barrier();
        },
        2);
}

TEST_CASE("Started collectives: an operator that calls a collective, here or in a group, is an error, and the next collective works") {
    onRanks(
        [](Connector& c) {
            const std::unique_ptr<Connector> group = c.split(0);
            const std::vector<std::function<void()>> calls{[&] { c.barrier(); }, [&] { c.startBarrier().cancel(); },
                                                           [&] { c.guarded([] {}); }, [&] { group->barrier(); },
                                                           [&] { group->guarded([] {}); }};
            for (const std::function<void()>& call : calls) {
                const auto calling = [&call](int left, int right) {
                    call();
                    return left + right;
                };
                CHECK_THROWS_AS(c.startAllReduce(1, calling).get(), UsageError);
                CHECK(c.allReduce(1, Sum{}) == c.size());
                CHECK(group->allReduce(1, Sum{}) == c.size());
                c.guarded([&] { group->guarded([&] { CHECK(group->startAllReduce(1, Sum{}).get() == c.size()); }); });
            }
        },
        2);
}

TEST_CASE("Started collectives: a TimeoutError of get() leaves the value to be taken later, on all ranks") {
    onRanks(
        [](Connector& c) {
            const bool isLate = c.rank() == lastRank(c);
            Pending<int> total;
            if (isLate) {
                for (int rank = 0; rank < lastRank(c); ++rank) CHECK(c.receive<bool>(rank));
            } else {
                total = c.startAllReduce(1, Sum{});
                try {
                    total.get(Deadline::in(5ms));
                    FAIL_CHECK("the last rank has not come");
                } catch (const TimeoutError& error) {
                    CHECK(error.awaited().find("in the started allReduce") != std::string::npos);
                    CHECK(error.ranks().size() == 1);
                }
                c.send(lastRank(c), true);
            }
            if (isLate) total = c.startAllReduce(1, Sum{});
            CHECK(total.get(Deadline::in(1min)) == c.size());
            checkUsable(c);
        },
        2);
}

TEST_CASE("Started collectives: ranks that wait for what one never starts are found in a deadlock, and can go on with it") {
    onRanks(
        [](Connector& c) {
            c.findDeadlocksAfter(2ms);
            Pending<int> total;
            if (c.rank() == lastRank(c)) {
                CHECK_THROWS_AS(c.receive<int>(0), Deadlock);
                total = c.startAllReduce(1, Sum{});
            } else {
                total = c.startAllReduce(1, Sum{});
                try {
                    const int early = total.get();    // the last rank may go on before this rank has heard of the deadlock
                    CHECK(early == c.size());
                } catch (const Deadlock& deadlock) {
                    CHECK(deadlock.ranks().size() == static_cast<std::size_t>(c.size()));
                }
            }
            if (total.isUnderWay()) CHECK(total.get() == c.size());
            checkUsable(c);
        },
        2);
}

TEST_CASE("Started collectives: when their region fails they end on all ranks, and those that were started before it go on") {
    onRanks([](Connector& c) {
        Pending<int> before = c.startAllReduce(1, Sum{});
        Pending<int> inside;
        const ExceptionList failures = failuresOf(c, [&] {
            inside = c.startAllReduce(2, Sum{});
            static_cast<void>(c.startAllGather(runOf(c.rank())));
            throwOnLast(c);
            static_cast<void>(c.startBarrier().get());
        });
        checkOneFailure(c, failures, "matrix is singular");
        try {
            if (inside.isUnderWay()) {
                const int total = inside.get();    // the collective was complete before the region failed
                CHECK(total == 2 * c.size());
            }
        } catch (const Cancelled& cancelled) {
            CHECK(cancelled.what() == std::string("the guarded region in which the collective was started has failed"));
        }
        CHECK(before.get() == c.size());
        Pending<int> later = c.guarded([&] { return c.startAllReduce(3, Sum{}); });
        CHECK(later.get() == 3 * c.size());
    });
}

TEST_CASE("Started collectives: an exception that passes them in a region leaves nothing behind") {
    onRanks([](Connector& c) {
        for (int round = 0; round < 20; ++round) {
            const ExceptionList failures = failuresOf(c, [&] {
                Pending<Train> train = c.startAllReduce(carOf(c.rank()), coupled);
                Pending<std::vector<int>> numbers = c.startAllToAll(allRanks(c));
                if (c.rank() == round % c.size()) throw std::domain_error("out of order");
                static_cast<void>(numbers.get());
                static_cast<void>(train.get());
            });
            CHECK(failures.size() == 1);
        }
        checkUsable(c);
        c.barrier();
        CHECK_FALSE(hasStepsLeft(c));
    });
}

TEST_CASE("Started collectives: they and blocking ones in the same place are a mismatch that names both") {
    onRanks(
        [](Connector& c) {
            const ExceptionList failures = failuresOf(c, [&] {
                if (c.rank() == 1) {
                    c.allReduce(std::string("a"), Sum{});
                } else {
                    c.startAllReduce(std::string("b"), Sum{}).get();
                }
                c.barrier();
            });
            const auto* mismatch = failures.front().as<CollectiveMismatch>();
            REQUIRE(mismatch != nullptr);
            const bool isBlocking = mismatch->here().rank == 1;
            CHECK((isBlocking ? mismatch->here() : mismatch->there()).call == "allReduce");
            CHECK((isBlocking ? mismatch->there() : mismatch->here()).call == "started allReduce");
            checkUsable(c);
        },
        2);
}

TEST_CASE("Started collectives: when a rank leaves without its part, those who need it are told, and nobody waits for ever") {
    onRanksThatFail(
        [](Connector& c) {
            if (c.rank() == lastRank(c)) return detail::mailboxOf(c).departures().sayFarewell();
            Pending<int> total = c.startAllReduce(1, Sum{});
            Pending<std::vector<int>> dropped = c.startAllGather(1);
            dropped.cancel();
            CHECK_THROWS_AS(total.get(), RankHasLeft);
            c.finishStarted();
            detail::mailboxOf(c).departures().sayFarewell();
        },
        2);
}
