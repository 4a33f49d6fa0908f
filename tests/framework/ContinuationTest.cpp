// Continuations of replies on the master: then, whenAll, whenAny.
#include <ferry/framework/master/WhenAll.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/master/Followers.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/exception/xassert.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace continuationtest {

/// The number of copies on this thread until one throws; negative: none does.
thread_local int copiesLeft = -1;

/// A reply that is copied where others are moved.
class Heavy : public Message {
public:
    FERRY_CLASS(continuationtest::Heavy)
    FERRY_FIELDS(number)
    Heavy() = default;
    Heavy(const Heavy& other) : Message(other), number(other.number) {
        if (copiesLeft >= 0 && copiesLeft-- == 0) throw std::runtime_error("no further copy");
    }
    Heavy& operator=(const Heavy&) = default;
    int number = 0;
};
struct Lift {
    using Reply = Heavy;
    int number = 0;
};

/// With left 0 the handler waits until the master allows the task, with left 13 it fails. An empty note fails.
void defineContinued(Slave& slave) {
    slave.on<Multiply>([](const Multiply& task, Task& about) {
        if (task.left == 0) static_cast<void>(about.connector().receive<int>(0));
        if (task.left == 13) throw Refused(task.right);
        return Multiplied(static_cast<long>(task.left) * task.right);
    });
    slave.on<Note>([](const Note& note) {
        if (note.text.empty()) throw std::invalid_argument("an empty note");
    });
}

long valueOf(const Multiplied& reply) { return reply.value; }

}    // namespace continuationtest

using namespace continuationtest;

TEST_CASE("Future: then gives a future of what the function makes of the reply, and further ones") {
    runJob(defineContinued, [](Master& master) {
        Future<Multiplied> first = master.submit(Multiply(6, 7));
        Future<std::string> text = first.then(valueOf).then([](long value) { return std::to_string(value) + " it is"; });
        CHECK_FALSE(first.isValid());
        CHECK(text.get(Deadline::in(1min)) == "42 it is");
        CHECK_FALSE(text.isValid());

        int callCount = 0;
        Future<void> nothing =
            master.submit(Multiply(1, 2)).then([&](const Multiplied& reply) { callCount += static_cast<int>(reply.value); });
        Future<int> after = nothing.then([&] { return ++callCount; });
        CHECK(after.get(Deadline::in(1min)) == 3);

        auto onlyMoves = std::make_unique<int>(5);
        CHECK(master.submit(Multiply(2, 2))
                  .then([kept = std::move(onlyMoves)](const Multiplied& reply) { return *kept + reply.value; })
                  .get() == 9);

        Future<Multiplied> done = master.submit(Multiply(3, 3));
        while (!done.ready()) {}
        CHECK(done.then(valueOf).get(Deadline::in(1min)) == 9);
    });
}

TEST_CASE("Future: exceptions pass the functions that wait for replies, and those of functions arrive") {
    runJob(defineContinued, [](Master& master) {
        bool hasRun = false;
        auto passed = master.submit(Multiply(13, 5)).then([&](const Multiplied&) { return hasRun = true; }).then([](bool) { return 1; });
        try {
            static_cast<void>(passed.get(Deadline::in(1min)));
            FAIL_CHECK("no exception");
        } catch (const Refused& refused) {
            CHECK(refused.number == 5);
            CHECK(refused.origin().rank > 0);
        }
        CHECK_FALSE(hasRun);
        auto thrown = master.submit(Multiply(1, 1)).then([](const Multiplied&) -> int { throw std::out_of_range("on the master"); });
        CHECK_THROWS_WITH_AS(thrown.get(), "on the master", std::out_of_range);
        CHECK(master.submit(Multiply(2, 2)).get().value == 4);
    });
}

TEST_CASE("Future: a function may submit further tasks, return their future, and wait") {
    runJob(defineContinued, [](Master& master) {
        auto chained = master.submit(Multiply(2, 3)).then([&](const Multiplied& reply) {
            return master.submit(Multiply(static_cast<int>(reply.value), 10));
        });
        static_assert(std::is_same_v<decltype(chained), Future<Multiplied>>);
        CHECK(chained.get(Deadline::in(1min)).value == 60);
        auto waiting = master.submit(Multiply(2, 3)).then([&](const Multiplied& reply) {
            return master.submit(Multiply(static_cast<int>(reply.value), 100)).get().value;
        });
        CHECK(waiting.get(Deadline::in(1min)) == 600);
        auto failing = master.submit(Multiply(2, 3)).then([&](const Multiplied&) { return master.submit(Multiply(13, 1)); });
        CHECK_THROWS_AS(failing.get(Deadline::in(1min)), Refused);

        long sum = 0;
        std::function<void(int)> addFrom = [&](int number) {
            static_cast<void>(master.submit(Multiply(1, number)).then([&, number](const Multiplied& reply) {
                sum += reply.value;
                if (number > 1) addFrom(number - 1);
            }));
        };
        addFrom(500);
        while (sum < 500L * 501 / 2) master.poll();
        CHECK(sum == 500L * 501 / 2);
    });
}

TEST_CASE("whenAll: all replies in the order of the futures, or the first failure") {
    runJob(defineContinued, [](Master& master) {
        std::vector<Future<long>> futures;
        for (int i = 0; i < 100; ++i) futures.push_back(master.submit(Multiply(i + 20, 2)).then(valueOf));
        const std::vector<long> values = whenAll(std::move(futures)).get(Deadline::in(1min));
        REQUIRE(values.size() == 100);
        for (int i = 0; i < 100; ++i) CHECK(values[static_cast<std::size_t>(i)] == 2L * (i + 20));

        std::vector<Future<Multiplied>> failing;
        for (const int left : {1, 13, 2}) failing.push_back(master.submit(Multiply(left, left)));
        CHECK_THROWS_AS(whenAll(std::move(failing)).get(Deadline::in(1min)), Refused);

        std::vector<Future<void>> nothings;
        int doneCount = 0;
        for (int i = 0; i < 10; ++i) nothings.push_back(master.submit(Note("text")).then([&](const Done&) { ++doneCount; }));
        whenAll(std::move(nothings)).get(Deadline::in(1min));
        CHECK(doneCount == 10);
        CHECK_THROWS_AS(static_cast<void>(whenAll(std::vector<Future<long>>())), UsageError);
        CHECK_THROWS_AS(static_cast<void>(whenAll(std::vector<Future<long>>(2))), UsageError);
    });
}

TEST_CASE("whenAll: a reply whose copy throws fails the future of all, and no wait for others") {
    const auto define = [](Slave& slave) { slave.on<Lift>([](const Lift&) { return Heavy(); }); };
    runJob(define, [](Master& master) {
        bool isDone = false;
        for (int copies = 0; !isDone; ++copies) {    // the copies for the replies, then those for the vector of all
            std::vector<Future<Heavy>> futures;
            for (int i = 0; i < 2; ++i) futures.push_back(master.submit(Lift{i}));
            Future<std::vector<Heavy>> all = whenAll(std::move(futures));
            copiesLeft = copies;
            CHECK_NOTHROW(master.waitForAll());
            copiesLeft = -1;
            REQUIRE(all.hasArrived());
            try {
                isDone = all.get().size() == 2;
            } catch (const std::runtime_error&) {}
        }
    });
}

TEST_CASE("whenAny: the place of the first that is done; the futures can still be asked") {
    runJob(defineContinued, [](Master& master) {
        std::vector<Future<Multiplied>> futures;
        for (int slave = 0; slave < master.slaveCount(); ++slave) futures.push_back(master.submit(Multiply(0, 0)));
        Future<std::size_t> none = whenAny(futures);
        CHECK_THROWS_AS(static_cast<void>(none.get(Deadline::in(3ms))), TimeoutError);
        for (int slave = 1; slave < master.connector().size(); ++slave) master.connector().send(slave, 1);
        const std::size_t first = none.get(Deadline::in(1min));
        REQUIRE(first < futures.size());
        CHECK(futures[first].hasArrived());
        for (auto& future : futures) CHECK(future.get().value == 0);
        CHECK_THROWS_AS(static_cast<void>(whenAny(futures)), UsageError);
    });
}

TEST_CASE("Future: functions that wait run inside each other up to a limit, and each wait ends") {
    runJob(defineContinued, [](Master& master) {
        constexpr int count = 3 * detail::Followers::mostNested;
        std::vector<Future<Multiplied>> done;
        for (int i = 0; i < count; ++i) done.push_back(master.submit(Multiply(1, 2)));
        for (const Future<Multiplied>& one : done) {
            while (!one.ready()) {}
        }
        int nested = 0, deepest = 0;
        std::vector<Future<long>> values;
        for (Future<Multiplied>& one : done) {
            values.push_back(one.then([&](const Multiplied& reply) {
                deepest = std::max(deepest, ++nested);
                const long next = master.submit(Multiply(1, 1)).then(valueOf).get();
                --nested;
                return reply.value + next;
            }));
        }
        const std::vector<long> all = whenAll(std::move(values)).get(Deadline::in(1min));
        CHECK(all == std::vector<long>(count, 3));
        CHECK(deepest == detail::Followers::mostNested);
    });
}

TEST_CASE("Future: waitForAll() is refused where further functions may not run") {
    runJob(defineContinued, [](Master& master) {
        constexpr int count = detail::Followers::mostNested + 1;
        std::vector<Future<Multiplied>> done;
        for (int i = 0; i < count; ++i) done.push_back(master.submit(Multiply(1, 2)));
        for (const Future<Multiplied>& one : done) {
            while (!one.ready()) {}
        }
        std::vector<Future<void>> waits;
        for (Future<Multiplied>& one : done) waits.push_back(one.then([&](const Multiplied&) { master.waitForAll(); }));
        master.waitForAll();
        int refusedCount = 0;
        for (Future<void>& one : waits) {
            try {
                one.get();
            } catch (const UsageError&) {
                ++refusedCount;
            }
        }
        CHECK(refusedCount == 1);
    });
}

TEST_CASE("Future: a function that runs in the loop over a map may not use the map") {
    runJob(defineContinued, [](Master& master) {
        const std::vector<Multiply> tasks(20, Multiply(2, 3));
        auto replies = master.map(tasks);
        Future<Multiplied> done = master.submit(Multiply(1, 1));
        while (!done.ready()) {}
        Future<void> nested = done.then([&replies](const Multiplied&) { static_cast<void>(replies.begin()); });    // runs in the loop
        long sum = 0;
        for (const Multiplied& reply : replies) sum += reply.value;
        CHECK(sum == 20 * 6);
        CHECK_THROWS_AS(nested.get(), UsageError);
    });
}

TEST_CASE("Future: what waits for cancelled tasks is cancelled with them") {
    runJob(defineContinued, [](Master& master) {
        std::vector<Future<Multiplied>> occupied;
        for (int slave = 0; slave < master.slaveCount(); ++slave) occupied.push_back(master.submit(Multiply(0, 0)));
        std::vector<Future<long>> behind;
        for (int i = 0; i < 5; ++i) behind.push_back(master.submit(Multiply(1, i)).then(valueOf));
        Future<std::vector<long>> all = whenAll(std::move(behind));
        CHECK(all.cancel());
        CHECK_THROWS_AS(static_cast<void>(all.get(Deadline::in(1min))), Cancelled);
        for (int slave = 1; slave < master.connector().size(); ++slave) master.connector().send(slave, 1);
        for (auto& one : occupied) static_cast<void>(one.get());
    });
}

TEST_CASE("Future: an xassert that fails in a function ends the job, and functions that never run leave nothing behind") {
    onJobRanks({defineContinued,
                [](Master& master) {
                    static_cast<void>(master.submit(Multiply(0, 0)).then(valueOf));
                    auto failing = master.submit(Multiply(1, 1), {.priority = 1}).then([](const Multiplied& reply) {
                        xassert(reply.value == 2);
                        return 1;
                    });
                    for (int rank = 1; rank < master.connector().size(); ++rank) master.connector().send(rank, 1);
                    static_cast<void>(failing.get(Deadline::in(1min)));
                    FAIL_CHECK("not reached");
                },
                [](int status) { CHECK(status == exitStatus::assertion); }});
}
