// Handles that outlive their connector.
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/message/pending/PendingPool.hpp>
#include <ferry/connector/message/state/Lifetime.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/support/Everywhere.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace afterconnectortest {

struct LateNode {
    int value = 0;
    LateNode* next = nullptr;
    FERRY_FIELDS(value, next)
};

template <class T>
void checkIsRefused(Pending<T>& pending) {
    CHECK(pending.isUnderWay());
    CHECK_THROWS_WITH_AS(static_cast<void>(pending.ready()),
                         "the connector of this Pending has ended, and the operation with it: take the value before, by get()", UsageError);
    CHECK_THROWS_AS(static_cast<void>(pending.get()), UsageError);
    CHECK_THROWS_AS(static_cast<void>(pending.get(Deadline::in(1ms))), UsageError);
    CHECK(pending.isUnderWay());
}

}    // namespace afterconnectortest

using namespace afterconnectortest;

TEST_CASE("After the connector: every use of a Pending is refused, and its end does nothing") {
    onRanksAndSimulated([](Connector& c) {
        LateNode first, second;
        first.next = &second;
        second.next = &first;
        auto group = c.duplicate();
        Pending<int> expected = group->expect<int>(previousRank(c));
        Pending<Graph<LateNode>> expectedGraph = group->expectGraph<LateNode>(previousRank(c), GraphMemory::Heap);
        Pending<std::vector<double>> vector = group->post(nextRank(c), std::vector<double>(100'000, 1.5));
        Pending<void> posted = group->post(nextRank(c), graph(&first));
        Pending<int> sum = group->startAllReduce(1, std::plus<>());
        Pending<std::string> text = group->startBroadcast(std::string("text"), 0);
        Pending<int> cancelled = group->expect<int>(previousRank(c));
        Pending<int> dropped = group->expect<int>(previousRank(c));
        PendingPool<int> pool(2);
        pool.add(group->expect<int>(previousRank(c)));
        c.barrier();
        {
            const auto limit = group->limitWaits(Deadline::in(1h));
            group.reset();
        }
        checkIsRefused(expected);
        checkIsRefused(expectedGraph);
        checkIsRefused(vector);
        checkIsRefused(posted);
        checkIsRefused(sum);
        checkIsRefused(text);
        CHECK_THROWS_AS(static_cast<void>(waitAll(expected, text)), UsageError);
        CHECK_THROWS_AS(static_cast<void>(pool.next()), UsageError);
        CHECK_THROWS_AS(static_cast<void>(pool.waitAll()), UsageError);
        std::vector<Pending<int>> several;
        several.push_back(std::move(expected));
        CHECK_THROWS_AS(static_cast<void>(waitAny(several)), UsageError);
        CHECK_THROWS_AS(static_cast<void>(waitAll(several)), UsageError);
        cancelled.cancel();
        CHECK_FALSE(cancelled.isUnderWay());
        dropped = Pending<int>();
        auto again = c.duplicate();
        CHECK(again->allReduce(1, std::plus<>()) == c.size());
        again->close();
    });
}

TEST_CASE("After the connector: a Pending may outlive the connector that the program began with") {
    onRanksThatFail([](Connector& c) {
        thread_local std::vector<Pending<int>> ofThread;    // destroyed after the connector
        ofThread.push_back(c.expect<int>(previousRank(c)));
        ofThread.push_back(c.startAllReduce(2, std::plus<>()));
        c.close();
    });
}

TEST_CASE("After the connector: each call of a group whose connector has ended is refused, or needs no other rank") {
    onRanksAndSimulated([](Connector& c) {
        auto outer = c.split(0);
        auto inner = outer->split(0);
        auto below = inner->duplicate();
        outer->barrier();
        outer.reset();
        const std::function<void(Connector&)> refused[] = {
            [](Connector& g) { g.send(0, 1); },
            [](Connector& g) { static_cast<void>(g.receive<int>()); },
            [](Connector& g) { static_cast<void>(g.receive<int>(0, Deadline::in(1ms))); },
            [](Connector& g) { static_cast<void>(g.post(0, 1)); },
            [](Connector& g) { static_cast<void>(g.post(0, std::vector<double>(100'000))); },
            [](Connector& g) { g.poll(); },
            [](Connector& g) { g.flush(); },
            [](Connector& g) { g.barrier(); },
            [](Connector& g) { static_cast<void>(g.broadcast(1, 0)); },
            [](Connector& g) { static_cast<void>(g.allReduce(1, std::plus<>())); },
            [](Connector& g) { static_cast<void>(g.gather(1, 0)); },
            [](Connector& g) { g.startBarrier().get(); },
            [](Connector& g) { static_cast<void>(g.startAllReduce(1, std::plus<>()).get()); },
            [](Connector& g) { static_cast<void>(g.expect<int>(0).get()); },
            [](Connector& g) { static_cast<void>(g.split(0)); },
            [](Connector& g) { static_cast<void>(g.group({0})); },
            [](Connector& g) { static_cast<void>(g.shrink()); },
            [](Connector& g) { static_cast<void>(g.measurements()); },
            [](Connector& g) { g.close(); },
            [](Connector& g) { g.throwOn(0, std::range_error("late")); },
        };
        int number = 0;
        for (const auto& call : refused) {
            ++number;
            CAPTURE(number);
            CHECK_THROWS_AS(call(*inner), UsageError);
            CHECK_THROWS_AS(call(*below), UsageError);
        }
        CHECK(inner->rank() == c.rank());
        CHECK(inner->size() == c.size());
        CHECK(inner->rankInJob(0) == 0);
        static_cast<void>(inner->now());
        inner->findDeadlocksAfter(1s);
        { const auto limit = inner->limitWaits(Deadline::in(1s)); }
        inner.reset();
        CHECK_THROWS_AS(below->barrier(), UsageError);
        below.reset();
        CHECK(c.allReduce(1, std::plus<>()) == c.size());
    });
}

TEST_CASE("Lifetime: the marks of an object are over with it, and not those of the next object in the same place") {
    detail::Lifetime::Mark none;
    CHECK_FALSE(none.isOver());
    std::vector<detail::Lifetime::Mark> old;
    for (int i = 0; i < 100; ++i) {
        std::optional<detail::Lifetime> life(std::in_place);
        old.push_back(life->mark());
        CHECK_FALSE(old.back().isOver());
        if (i % 3 == 0) {
            life->end();
            CHECK(old.back().isOver());
        }
        life.reset();
        for (const detail::Lifetime::Mark& mark : old) CHECK(mark.isOver());
    }
}

TEST_CASE("Lifetime: objects of several threads never share a place") {
    std::atomic<int> wrongCount{0};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 3; ++thread) {
        threads.emplace_back([&wrongCount] {
            for (int round = 0; round < 20'000; ++round) {
                const detail::Lifetime life;
                const detail::Lifetime::Mark mark = life.mark();
                detail::Lifetime shorter;
                const detail::Lifetime::Mark ofShorter = shorter.mark();
                shorter.end();
                if (mark.isOver() || !ofShorter.isOver()) ++wrongCount;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrongCount == 0);
}
