// Handlers that submit tasks.
#include <chrono>
#include <functional>
#include <stdexcept>
#include <utility>

#include <doctest/doctest.h>

#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace submittedtasktest {

/// A task of depth n submits two tasks of depth n - 1. At depth 0 it returns 1. With a negative depth it submits one task and fails.
void defineTree(Slave& slave) {
    slave.on<Multiply>([](const Multiply& task, Task& about) {
        if (task.left < 0) {
            about.submit(Multiply(0, 0));
            throw std::runtime_error("after its submission");
        }
        if (task.left == 0) return Multiplied(1);
        for (int child = 0; child < 2; ++child) about.submit(Multiply(task.left - 1, task.right), child);
        return Multiplied(0);
    });
    slave.on<Note>([](const Note&, Task& about) { static_cast<void>(about.connector().receive<int>(0)); });
}

}    // namespace submittedtasktest

using namespace submittedtasktest;

TEST_CASE("Task: what handlers submit is done once, on however few slaves, and its futures are the master's") {
    runJob(defineTree, [](Master& master) {
        long leafCount = 0;
        int taskCount = 0;
        master.onSubmitted<Multiply>([&](Future<Multiplied> future) {
            ++taskCount;
            static_cast<void>(future.then([&](const Multiplied& reply) { leafCount += reply.value; }));
        });
        static_cast<void>(master.submit(Multiply(9, 0)));
        master.waitForAll(Deadline::in(1min));
        CHECK(leafCount == 512);
        CHECK(taskCount == 1022);
        master.waitForAll(Deadline::in(1min));
        CHECK(master.submit(Multiply(0, 0)).get().value == 1);
    });
}

TEST_CASE("Task: what a handler has submitted is done although the handler fails") {
    runJob(defineTree, [](Master& master) {
        int doneCount = 0;
        master.onSubmitted<Multiply>([&](Future<Multiplied> future) {
            static_cast<void>(future.then([&](const Multiplied& reply) { doneCount += static_cast<int>(reply.value); }));
        });
        auto failing = master.submit(Multiply(-1, 0));
        CHECK_THROWS_AS(failing.get(Deadline::in(1min)), std::runtime_error);
        master.waitForAll(Deadline::in(1min));
        CHECK(doneCount == 1);
    });
}

TEST_CASE("Master: waitForAll comes to its deadline while a task is open, also when nobody wants the replies") {
    runJob(defineTree, [](Master& master) {
        static_cast<void>(master.submit(Multiply(3, 0)));
        master.waitForAll(Deadline::in(1min));
        static_cast<void>(master.submit(Note("wait")));
        CHECK_THROWS_AS(master.waitForAll(Deadline::in(3ms)), TimeoutError);
        for (int rank = 1; rank < master.connector().size(); ++rank) master.connector().send(rank, 1);    // any slave may have the task
        master.waitForAll(Deadline::in(1min));
    });
}
