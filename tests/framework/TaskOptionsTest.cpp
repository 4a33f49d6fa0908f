#include <ferry/framework/schedule/TaskOptions.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace taskoptionstest {

/// With left 0 the task waits until the master allows it. Other tasks return their ordinal number on their slave.
void defineCounting(Slave& slave) {
    slave.setUp([](Connector&) { return std::make_shared<int>(0); });
    slave.on<Multiply>([](const Multiply& task, Task& about) {
        if (task.left == 0) static_cast<void>(about.connector().receive<int>(0));
        return Multiplied(++about.state<int>());
    });
}

/// Tries longer and longer deadlines, because the steps before a deadline take long on a busy machine.
/// isLongEnough(deadline) returns whether the deadline was long enough.
template <class IsLongEnough>
void withDeadlines(const IsLongEnough& isLongEnough) {
    for (const std::chrono::milliseconds deadline : {5ms, 100ms, 2000ms, 50'000ms}) {
        if (isLongEnough(Deadline::in(deadline))) return;
    }
    FAIL_CHECK("50 s are too short");
}

/// Submits one task for each slave. The slave keeps the task until release().
std::vector<Future<Multiplied>> occupySlaves(Master& master) {
    std::vector<Future<Multiplied>> occupied;
    for (int slave = 0; slave < master.slaveCount(); ++slave) occupied.push_back(master.submit(Multiply(0, 0)));
    return occupied;
}

void release(Master& master) {
    for (int slave = 1; slave < master.connector().size(); ++slave) master.connector().send(slave, 1);
}

/// A task with left 1 always fails. Left 2 always fails, in another way. Left 3 fails on the slave whose rank is the right number.
void defineFailing(Slave& slave) {
    slave.setUp([](Connector&) { return std::make_shared<int>(0); });
    slave.on<Multiply>([](const Multiply& task, Task& about) {
        ++about.state<int>();
        if (task.left == 1) throw Refused(about.connector().rank());
        if (task.left == 2) throw std::invalid_argument("no reason to try again");
        if (task.left == 3 && about.connector().rank() == task.right) throw Refused(task.right);
        return Multiplied(about.state<int>());
    });
}

}    // namespace taskoptionstest

using namespace taskoptionstest;

TEST_CASE("TaskOptions: tasks of a higher priority are begun before those that wait already") {
    runJob(defineCounting, [](Master& master) {
        if (master.slaveCount() != 1) return;
        auto occupied = occupySlaves(master);
        auto low = master.submit(Multiply(1, 0), {.priority = -1});
        auto usual = master.submit(Multiply(1, 0));
        auto high = master.submit(Multiply(1, 0), {.priority = 5});
        auto highToo = master.submit(Multiply(1, 0), {.priority = 5});
        release(master);
        CHECK(low.get().value == 5);
        CHECK(usual.get().value == 4);
        CHECK(high.get().value == 2);
        CHECK(highToo.get().value == 3);
        CHECK(occupied.front().get().value == 1);
    });
}

TEST_CASE("TaskOptions: a task that no slave has begun by its deadline fails, and none ever begins it") {
    runJob(defineCounting, [](Master& master) {
        auto occupied = occupySlaves(master);
        auto late = master.submit(Multiply(1, 0), {.deadline = Deadline::in(5ms)});
        auto inTime = master.submit(Multiply(2, 0), {.deadline = Deadline::in(1min)});
        try {
            static_cast<void>(late.get(Deadline::in(1min)));
            FAIL_CHECK("no slave was free");
        } catch (const TimeoutError& error) {
            CHECK(error.awaited().find("which no slave has begun") != std::string::npos);
            CHECK(error.waited() >= 5ms);
        }
        release(master);
        long begun = inTime.get().value > 0 ? 1 : 0;
        for (auto& one : occupied) begun += one.get().value > 0;
        CHECK(begun == master.slaveCount() + 1);
        if (master.slaveCount() == 1) CHECK(master.submit(Multiply(3, 0)).get().value == 3);
    });
}

TEST_CASE("TaskOptions: a task whose deadline is over at its submission fails like one whose deadline passes, and no slave begins it") {
    runJob(defineCounting, [](Master& master) {
        const auto isLate = [](auto future) {
            try {
                static_cast<void>(future.get(Deadline::in(1min)));
                return false;
            } catch (const TimeoutError& error) {
                return error.awaited().find("which no slave has begun") != std::string::npos;
            }
        };
        const TaskOptions overs[] = {{.deadline = Deadline::in(0s)},
                                     {.deadline = Deadline::in(-5s)},
                                     {.deadline = Deadline::at(master.connector().now() - 1h)},
                                     {.deadline = Deadline::in(-1s), .retry = RetryOn<TimeoutError>{.times = 3}}};
        for (const TaskOptions& over : overs) {
            CHECK(isLate(master.submit(Multiply(1, 0), over)));
            CHECK(isLate(master.submit(Multiply(1, 0), Keep{}, over)));
            if (over.retry.times() == 0 && groupsOfThisJob().isEmpty())
                CHECK(isLate(master.submit(Multiply(1, 0), ranks(master.slaveCount()), over)));
            auto late = master.submit(Multiply(1, 0), over);
            CHECK(late.hasArrived());
            CHECK_FALSE(late.cancel());
            CHECK_THROWS_AS(static_cast<void>(late.knownRank() == std::nullopt ? late.get() : Multiplied()), TimeoutError);
        }
        std::vector<Multiply> tasks(5, Multiply(1, 0));
        auto range = master.map(tasks, MapOrder::Submission, {.deadline = Deadline::in(-1s)});
        CHECK_THROWS_AS(static_cast<void>(range.begin()), TimeoutError);
        long count = 0;
        for (int slave = 0; slave < 3 * master.slaveCount(); ++slave) count = std::max(count, master.submit(Multiply(1, 0)).get().value);
        CHECK(count <= 3 * master.slaveCount());
    });
}

TEST_CASE("TaskOptions: a task whose deadline has passed while the master did nothing goes to no slave") {
    runJob(defineCounting, [](Master& master) {
        auto occupied = occupySlaves(master);
        auto late = master.submit(Multiply(1, 0), {.deadline = Deadline::in(1ms)});
        const auto until = master.connector().now() + 2ms;
        while (master.connector().now() < until) {}
        release(master);
        auto next = master.submit(Multiply(2, 0));
        for (auto& one : occupied) static_cast<void>(one.get());
        CHECK_THROWS_AS(static_cast<void>(late.get()), TimeoutError);
        const long value = next.get().value;
        CHECK(value <= 2);
    });
}

TEST_CASE("TaskOptions: durations that are negative or no numbers have one message") {
    const auto textOf = [](const auto& call) -> std::string {
        try {
            call();
        } catch (const UsageError& error) {
            return error.what();
        }
        return "no exception";
    };
    CHECK(textOf([] { static_cast<void>(detail::Retry(RetryOn<Refused>{.backOff = -3ms})); }) ==
          "expected a duration of 0 or more for RetryOn::backOff, found -0.003 s");
    CHECK(textOf([] { static_cast<void>(Deadline::in(std::chrono::duration<double>(std::nan("")))); }) ==
          "expected a duration of 0 or more for a deadline, found nan s");
    CHECK(textOf([] { static_cast<void>(detail::Retry(RetryOn<Refused>{.times = -1})); }) ==
          "expected RetryOn::times of 0 or more, found -1");
    onRanks([&](Connector& c) {
        CHECK(textOf([&] { c.findDeadlocksAfter(-1s); }) == "expected a duration of 0 or more for findDeadlocksAfter, found -1 s");
    });
}

TEST_CASE("TaskOptions: a handler that heeds the deadline ends its task with a TimeoutError, another one answers late") {
    const auto define = [](Slave& slave) {
        slave.on<Multiply>([](const Multiply& task, Task& about) {
            while (!about.cancelled()) {}
            if (task.left == 1) about.throwIfCancelled();
            return Multiplied(7);
        });
    };
    runJob(define, [](Master& master) {
        withDeadlines([&](const Deadline& deadline) {
            try {
                static_cast<void>(master.submit(Multiply(1, 0), {.deadline = deadline}).get());
                FAIL_CHECK("it ran for ever");
                return true;
            } catch (const TimeoutError& error) {
                return error.ranks().size() == 1;    // zero ranks: no slave has begun the task by then
            }
        });
        withDeadlines([&](const Deadline& deadline) {
            try {
                const long value = master.submit(Multiply(2, 0), {.deadline = deadline}).get().value;    // CHECK would catch the exception
                CHECK(value == 7);
                return true;
            } catch (const TimeoutError&) {    // no slave has begun the task by then
                return false;
            }
        });
    });
}

TEST_CASE("TaskOptions: a task is tried again the given number of times, and the last exception tells the try") {
    runJob(defineFailing, [](Master& master) {
        auto failing = master.submit(Multiply(1, 0), {.retry = RetryOn<Refused, std::bad_alloc>{.times = 3, .backOff = 1ms}});
        try {
            static_cast<void>(failing.get());
            FAIL_CHECK("it never succeeds");
        } catch (const Refused& refused) {
            CHECK(report(std::current_exception()).find("try = 4") != std::string::npos);
            CHECK(refused.number == refused.origin().rank);
        }
        const auto countOn = [&](int left, const TaskOptions& options) {
            const long before = master.submit(Multiply(0, 0)).get().value;
            CHECK_THROWS(static_cast<void>(master.submit(Multiply(left, 0), options).get()));
            return master.submit(Multiply(0, 0)).get().value - before - 1;
        };
        if (master.slaveCount() == 1) {
            CHECK(countOn(1, {.retry = RetryOn<Refused>{.times = 2}}) == 3);
            CHECK(countOn(2, {.retry = RetryOn<Refused>{.times = 2}}) == 1);
            CHECK(countOn(1, {}) == 1);
        }
    });
}

TEST_CASE("TaskOptions: a further try goes to another slave where there is one") {
    runJob(defineFailing, [](Master& master) {
        if (master.slaveCount() < 2) return;
        for (int slave = 1; slave < master.connector().size(); ++slave) {
            const Multiplied reply = master.submit(Multiply(3, slave), {.retry = RetryOn<Refused>{.times = 1}}).get();
            CHECK(reply.sender() != slave);
        }
    });
}

TEST_CASE("TaskOptions: a task that rests before its next try can come to its deadline, and be cancelled") {
    runJob(defineFailing, [](Master& master) {
        const detail::Retry retry = RetryOn<Refused>{.times = 100, .backOff = 1h};
        withDeadlines([&](const Deadline& deadline) {
            try {
                static_cast<void>(master.submit(Multiply(1, 0), {.deadline = deadline, .retry = retry}).get());
                FAIL_CHECK("it always fails");
                return true;
            } catch (const TimeoutError&) {
                return true;
            } catch (const Refused&) {    // the deadline passed while a slave ran the task; then there is no other try
                return false;
            }
        });
        CHECK(master.submit(Multiply(4, 0)).get().value > 0);
        auto resting = master.submit(Multiply(1, 0), {.retry = retry});
        CHECK_THROWS_AS(resting.get(Deadline::in(20ms)), TimeoutError);
        static_cast<void>(resting.cancel());
        CHECK_THROWS(resting.get(Deadline::in(1min)));
    });
}

TEST_CASE("MapRange: options hold for each of its tasks") {
    runJob(defineFailing, [](Master& master) {
        const std::vector<Multiply> tasks(30, Multiply(2, 1));
        int failureCount = 0;
        auto replies = master.map(tasks, MapOrder::Completion, {.retry = RetryOn<std::logic_error>{.times = 1}});
        for (bool isComplete = false; !isComplete;) {
            try {
                for (const Multiplied& reply : replies) FAIL_CHECK("succeeded: ", reply.value);
                isComplete = true;
            } catch (const std::invalid_argument&) {
                ++failureCount;
                CHECK(report(std::current_exception()).find("try = 2") != std::string::npos);
            }
        }
        CHECK(failureCount == 30);
    });
}
