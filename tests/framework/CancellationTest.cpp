// The master cancels tasks that wait, tasks that slaves have received, and tasks that run.
#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace cancellationtest {

/// The left number selects the handler's behaviour. 0: waits until the master allows the task.
/// 1: waits until the task is cancelled, and tells the master when it begins and when it hears of the cancellation.
/// Others: returns at once.
void defineCancellable(Slave& slave) {
    slave.on<Multiply>([](const Multiply& task, Task& about) {
        if (task.left == 0) static_cast<void>(about.connector().receive<int>(0));
        if (task.left == 1) {
            about.connector().send(0, about.number());
            while (!about.cancelled()) {}
            about.connector().send(0, about.number());
            about.throwIfCancelled();
        }
        return Multiplied(static_cast<long>(task.left) * task.right);
    });
}

void releaseWaiting(Master& master) {
    for (int slave = 1; slave < master.connector().size(); ++slave) master.connector().send(slave, 1);
}

}    // namespace cancellationtest

using namespace cancellationtest;

TEST_CASE("Future: a task that no slave has is cancelled at once, and get() says so") {
    runJob(defineCancellable, [](Master& master) {
        std::vector<Future<Multiplied>> occupied;
        for (int slave = 0; slave < master.slaveCount(); ++slave) occupied.push_back(master.submit(Multiply(0, 0)));
        Future<Multiplied> behind = master.submit(Multiply(5, 5));
        Future<Multiplied> stays = master.submit(Multiply(6, 6));
        CHECK(behind.cancel());
        CHECK(behind.hasArrived());
        CHECK_FALSE(behind.cancel());
        CHECK_THROWS_AS(behind.get(), Cancelled);
        releaseWaiting(master);
        CHECK(stays.get().value == 36);
        for (auto& one : occupied) static_cast<void>(one.get());
        Future<Multiplied> done = master.submit(Multiply(2, 3));
        while (!done.ready()) {}
        CHECK_FALSE(done.cancel());
        CHECK(done.get().value == 6);
    });
}

TEST_CASE("Future: a handler that asks hears that its task is cancelled") {
    runJob(defineCancellable, [](Master& master) {
        Future<Multiplied> running = master.submit(Multiply(1, 0));
        static_cast<void>(master.connector().receive<int>());
        CHECK_FALSE(running.cancel());
        static_cast<void>(master.connector().receive<int>());
        try {
            static_cast<void>(running.get());
            FAIL_CHECK("it ends only when it is cancelled");
        } catch (const Cancelled& cancelled) {
            CHECK(cancelled.origin().rank > 0);
        }
        CHECK(master.submit(Multiply(3, 3)).get().value == 9);
    });
}

TEST_CASE("Future: whenever a task is cancelled, it ends once, with its reply or as cancelled") {
    runJob(defineCancellable, [](Master& master) {
        int replyCount = 0;
        int cancelledCount = 0;
        std::vector<Future<Multiplied>> futures;
        constexpr int count = 2000;
        for (int i = 0; i < count; ++i) futures.push_back(master.submit(Multiply(7, i)));
        for (int i = 0; i < count; ++i) {
            if (i % 3 == 0) static_cast<void>(futures[static_cast<std::size_t>(count - 1 - i)].cancel());
            if (i % 5 == 0) master.poll();
        }
        for (int i = 0; i < count; ++i) {
            try {
                const long value = futures[static_cast<std::size_t>(i)].get().value;
                CHECK(value == 7L * i);
                ++replyCount;
            } catch (const Cancelled&) {
                ++cancelledCount;
            }
        }
        CHECK(replyCount + cancelledCount == count);
        CHECK(replyCount >= count - (count + 2) / 3);
        CHECK(master.submit(Multiply(3, 3)).get().value == 9);
    });
}

TEST_CASE("Master: what a slave holds behind a task that takes long goes to a slave that has nothing to do") {
    const auto defineSlow = [](Slave& slave) {
        slave.on<Multiply>([](const Multiply& task, Task& about) {
            if (task.left == 1) {
                while (!about.cancelled()) {}
            }
            return Multiplied(task.right);
        });
    };
    runJob(defineSlow, [](Master& master) {
        if (master.slaveCount() < 2) return;
        for (const Multiplied& reply : master.map(std::vector<Multiply>(200, Multiply(2, 5)))) CHECK(reply.value == 5);
        // One task of many never ends. Other tasks that arrived with it on the same slave are done nevertheless.
        std::vector<Future<Multiplied>> futures;
        for (int i = 0; i < 400; ++i) futures.push_back(master.submit(Multiply(i == 100 ? 1 : 2, i)));
        for (int i = 0; i < 400; ++i) {
            if (i != 100) CHECK(futures[static_cast<std::size_t>(i)].get(Deadline::in(1min)).value == i);
        }
        CHECK_FALSE(futures[100].cancel());
        CHECK(futures[100].get(Deadline::in(1min)).value == 100);
    });
}

TEST_CASE("MapRange: what is left of a loop that was broken off is cancelled where no slave has it") {
    const auto defineCounting = [](Slave& slave) {
        slave.setUp([](Connector&) { return std::make_shared<long>(0); });
        slave.on<Multiply>([](const Multiply& task, Task& about) {
            if (task.left == 0) static_cast<void>(about.connector().receive<int>(0));
            return Multiplied(++about.state<long>());
        });
    };
    runJob(defineCounting, [](Master& master) {
        if (master.slaveCount() != 1) return;
        std::vector<Multiply> tasks(1000, Multiply(0, 0));
        tasks.front() = Multiply(1, 0);
        for (const Multiplied& reply : master.map(tasks)) {
            CHECK(reply.value == 1);
            break;
        }
        // The slave has begun the second task. Other tasks may have arrived with it.
        Future<Multiplied> last = master.submit(Multiply(1, 0));
        for (int allowed = 0; allowed < 1000 && !last.ready(); ++allowed) releaseWaiting(master);
        CHECK(last.get().value < 500);
    });
}
