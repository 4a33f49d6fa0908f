// Handles that outlive their master or their connector.
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/framework/master/WhenAll.hpp>
#include <ferry/framework/simulateJob.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace afterjobtest {

/// With left -1 the handler throws, with -2 it waits until it is cancelled. Otherwise it answers the product.
void defineProducts(Slave& slave) {
    slave.on<Multiply>([](const Multiply& task, Task& about) {
        if (task.left == -1) throw Refused(task.right);
        while (task.left == -2) about.throwIfCancelled();
        return Multiplied(static_cast<long>(task.left) * task.right);
    });
}

/// The handles that a program keeps after its job.
struct Kept {
    /// Some tasks are open at the end: their handlers wait until the job ends.
    void fill(Master& master) {
        untaken = master.submit(Multiply(6, 7));
        failed = master.submit(Multiply(-1, 5));
        then = master.submit(Multiply(2, 3)).then([](const Multiplied& reply) { return reply.value + 1; });
        std::vector<Future<Multiplied>> two;
        for (int i = 1; i <= 2; ++i) two.push_back(master.submit(Multiply(i, i)));
        all = whenAll(std::move(two));
        ref = master.submit(Multiply(3, 3), Keep{}).get();
        untakenRef = master.submit(Multiply(4, 4), Keep{});
        map.reset(new Map(master.map(std::vector<Multiply>(1000, Multiply(5, 1)))));
        place = map->begin();
        master.waitForAll();
        open = master.submit(Multiply(-2, 0));
        openThen = master.submit(Multiply(-2, 0)).then([](const Multiplied& reply) { return reply.value; });
    }

    using Map = MapRange<std::vector<Multiply>>;

    Future<Multiplied> untaken;
    Future<Multiplied> failed;
    Future<Multiplied> open;
    Future<long> then;
    Future<long> openThen;
    Future<std::vector<Multiplied>> all;
    Ref<Multiplied> ref;
    Future<Ref<Multiplied>> untakenRef;
    std::unique_ptr<Map> map;
    Map::Iterator place;
};

std::string usageErrorOf(const std::function<void()>& call) {
    try {
        call();
    } catch (const UsageError& error) {
        return error.what();
    }
    return "no UsageError";
}

/// Checks each use of the handles after the end of their master.
void checkAfter(Kept& kept) {
    const std::string ended = "the master has ended, and its job with it";
    const auto isRefused = [&](const std::function<void()>& call) { return usageErrorOf(call).find(ended) != std::string::npos; };
    // A reply that had come is still given.
    CHECK(kept.untaken.isValid());
    CHECK(kept.untaken.hasArrived());
    CHECK(kept.untaken.ready());
    CHECK(isRefused([&] { kept.untaken.raise(std::range_error("late")); }));
    CHECK(isRefused([&] { kept.untaken.rank(); }));
    CHECK(isRefused([&] { static_cast<void>(kept.untaken.knownRank()); }));
    CHECK(isRefused([&] { static_cast<void>(kept.untaken.cancel()); }));
    CHECK(kept.untaken.get().value == 42);
    CHECK_THROWS_AS(static_cast<void>(kept.untaken.get()), UsageError);
    CHECK_THROWS_AS(static_cast<void>(kept.failed.get()), Refused);
    CHECK(kept.then.get() == 7);
    CHECK(kept.all.get().back().value == 4);
    // A Ref is there, and its result is not.
    const Ref<Multiplied> late = kept.untakenRef.get();
    for (const Ref<Multiplied>* ref : {static_cast<const Ref<Multiplied>*>(&kept.ref), &late}) {
        CHECK_FALSE(ref->isEmpty());
        CHECK(usageErrorOf([&] { static_cast<void>(ref->get()); }).find("the master of this Ref has ended") != std::string::npos);
        CHECK_THROWS_AS(static_cast<void>(**ref), UsageError);
    }
    // Nothing else can come.
    CHECK(usageErrorOf([&] { static_cast<void>(kept.open.get()); }).find("the reply to task") == 0);
    CHECK(usageErrorOf([&] { static_cast<void>(kept.open.get(Deadline::in(1ms))); }).find("the reply to task") == 0);
    CHECK(isRefused([&] { static_cast<void>(kept.open.ready()); }));
    CHECK(isRefused([&] { static_cast<void>(kept.open.hasArrived()); }));
    CHECK(isRefused([&] { static_cast<void>(kept.open.cancel()); }));
    CHECK(isRefused([&] { kept.open.raise(std::range_error("late")); }));
    CHECK(isRefused([&] { kept.open.rank(); }));
    CHECK(isRefused([&] { static_cast<void>(kept.openThen.get()); }));
    CHECK(isRefused([&] { static_cast<void>(kept.openThen.then([](long) {})); }));
    CHECK(isRefused([&] { ++kept.place; }));
    CHECK(isRefused([&] { kept.map->begin(); }));
    std::vector<Future<Multiplied>> last;
    last.push_back(std::move(kept.open));
    CHECK(isRefused([&] { static_cast<void>(whenAny(last)); }));
    CHECK(isRefused([&] { static_cast<void>(whenAll(std::move(last))); }));
    kept.map.reset();
}

}    // namespace afterjobtest

using namespace afterjobtest;

TEST_CASE("After the job: a future gives what had come, and every other use of a handle of the master is refused") {
    const auto kept = std::make_shared<std::optional<Kept>>();
    onJobRanks({.define = defineProducts,
                .program = [kept](Master& master) { kept->emplace().fill(master); },
                .check =
                    [kept](int status) {
                        CHECK(status == 0);
                        if (detail::rankOfThisThread() != 0) return;
                        checkAfter(**kept);
                        kept->reset();
                    }});
    if (detail::rankOfProcess() > 0) return;
    Slave slave;
    defineProducts(slave);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        static_cast<void>(simulateJob(4, {.seed = seed}, slave, [kept](Master& master) { kept->emplace().fill(master); }));
        checkAfter(**kept);
        kept->reset();
    }
}

TEST_CASE("After the job: a handle of an earlier master is none of a later master in the same place") {
    runUngroupedJob(defineProducts, [](Master& outer) {
        std::optional<Future<Multiplied>> old;
        for (int i = 0; i < 3; ++i) {
            Master master(outer.connector());
            if (old) CHECK_THROWS_AS(static_cast<void>(old->ready()), UsageError);
            CHECK(master.submit(Multiply(i, 2)).get().value == 2 * i);
            old = master.submit(Multiply(i, 3));
        }
        static_cast<void>(outer.submit(Multiply(1, 1)).get());
    });
}

TEST_CASE("Masters of one connector: the calls of a later master are answered by its own replies") {
    runUngroupedJob(defineProducts, [](Master& outer) {
        for (int round = 0; round < 20; ++round) {
            Master early(outer.connector());
            std::vector<Future<Multiplied>> left;
            for (int i = 0; i < 20; ++i) left.push_back(early.submit(Multiply(100 + round, i)));
            auto kept = early.submit(Multiply(1000 + round, 1), Keep{});
            if (round % 2 == 0) static_cast<void>(kept.get());
        }
        Master late(outer.connector());
        for (int i = 0; i < 20; ++i) CHECK(late.submit(Multiply(i, i)).get().value == i * i);
        for (int i = 0; i < 20; ++i) {
            const Ref<Multiplied> ref = late.submit(Multiply(i, 1), Keep{}).get();
            CHECK(ref.get().value == i);
        }
    });
}

TEST_CASE("Masters of one connector: while one has open tasks, a task of another one is refused") {
    runUngroupedJob(defineProducts, [](Master& first) {
        Master second(first.connector());
        Future<Multiplied> open = first.submit(Multiply(2, 3));
        const auto submitOther = [&] { static_cast<void>(second.submit(Multiply(1, 1))); };
        CHECK(usageErrorOf(submitOther).find("another master of this connector has open tasks") != std::string::npos);
        CHECK(usageErrorOf([&] { static_cast<void>(second.submit(Multiply(1, 1), ranks(1))); }).find("another master") !=
              std::string::npos);
        CHECK(usageErrorOf([&] { static_cast<void>(second.submit(Multiply(1, 1), Keep{})); }).find("another master") != std::string::npos);
        CHECK(open.get().value == 6);
        CHECK(second.submit(Multiply(4, 5)).get().value == 20);
    });
}
