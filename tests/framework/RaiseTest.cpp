// Exceptions that the master raises in tasks, and exceptions that come to a slave between two tasks.
#include <chrono>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace raisetest {

enum Conduct : int {
    Answers,    ///< the handler answers at once
    Waits,      ///< the handler waits for a number from the master, and answers it
    Looks,      ///< the handler asks for a cancellation until an exception ends it
    Looks1,     ///< the handler asks for a cancellation once
    Mends,      ///< the handler waits, catches what is raised, and answers its number
};

long numberFor(const Multiply& task, Task& about) {
    switch (task.left) {
        case Waits: return about.connector().receive<int>(0);
        case Looks:
            for (;;) about.throwIfCancelled();
        case Looks1: about.throwIfCancelled(); return task.right;
        case Mends: try { return about.connector().receive<int>(0);
            } catch (const Refused& refused) {
                return refused.number;
            }
        default: return task.right;
    }
}

void defineConducts(Slave& slave) {
    slave.on<Multiply>([](const Multiply& task, Task& about) { return Multiplied(numberFor(task, about)); });
}

}    // namespace raisetest

using raisetest::defineConducts;

TEST_CASE("raise: a handler that waits in the connector gets the exception, with class and data, and the job goes on") {
    runJob(defineConducts, [](Master& master) {
        for (int i = 0; i < 30; ++i) {
            Future<Multiplied> reply = master.submit(Multiply(raisetest::Waits, 0));
            if (i % 2 == 0) CHECK(reply.rank() > 0);
            CHECK(reply.raise(Refused(i)));
            try {
                static_cast<void>(reply.get());
                FAIL_CHECK("the task has not failed");
            } catch (const Refused& refused) {
                CHECK(refused.number == i);
            }
        }
        CHECK(master.submit(Multiply(raisetest::Answers, 5)).get().value == 5);
    });
}

TEST_CASE("raise: a handler that asks for its cancellation gets the exception") {
    runJob(defineConducts, [](Master& master) {
        Future<Multiplied> reply = master.submit(Multiply(raisetest::Looks, 0));
        CHECK(reply.rank() > 0);
        CHECK(reply.raise(std::range_error("nobody needs it")));
        CHECK_THROWS_WITH_AS(static_cast<void>(reply.get()), "nobody needs it", std::range_error);
    });
}

TEST_CASE("raise: a handler may catch the exception and answer") {
    runJob(defineConducts, [](Master& master) {
        Future<Multiplied> reply = master.submit(Multiply(raisetest::Mends, 0));
        CHECK(reply.rank() > 0);
        CHECK(reply.raise(Refused(21)));
        CHECK(reply.get().value == 21);
    });
}

TEST_CASE("raise: tasks that wait behind others end with the exception, wherever they are") {
    runJob(defineConducts, [](Master& master) {
        std::vector<Future<Multiplied>> replies;
        for (int i = 0; i < 40; ++i) replies.push_back(master.submit(Multiply(raisetest::Waits, i)));
        for (std::size_t i = replies.size(); i-- > 0;) CHECK(replies[i].raise(Refused(static_cast<int>(i))));
        for (std::size_t i = 0; i < replies.size(); ++i) {
            try {
                static_cast<void>(replies[i].get(Deadline::in(1min)));
                FAIL_CHECK("the task has not failed");
            } catch (const Refused& refused) {
                CHECK(refused.number == static_cast<int>(i));
            }
        }
    });
}

TEST_CASE("raise: a task that is done keeps its reply, and raise() says so") {
    runJob(defineConducts, [](Master& master) {
        Future<Multiplied> reply = master.submit(Multiply(raisetest::Answers, 3));
        while (!reply.ready()) {}
        CHECK_FALSE(reply.raise(std::range_error("too late")));
        CHECK(reply.get().value == 3);
        CHECK(master.submit(Multiply(raisetest::Looks1, 4)).get().value == 4);
    });
}

TEST_CASE("raise: an exception that comes too late for its task disturbs no other task") {
    runJob(defineConducts, [](Master& master) {
        for (int i = 0; i < 100; ++i) {
            Future<Multiplied> reply = master.submit(Multiply(raisetest::Answers, i));
            reply.raise(std::range_error("perhaps too late"));
            CHECK(master.submit(Multiply(raisetest::Looks1, i)).get().value == i);
            try {
                const long value = reply.get().value;
                CHECK(value == i);
            } catch (const std::range_error& late) {
                CHECK(std::string(late.what()) == "perhaps too late");
            }
        }
    });
}

TEST_CASE("raise: the task is not tried again") {
    runJob(defineConducts, [](Master& master) {
        Future<Multiplied> reply = master.submit(Multiply(raisetest::Waits, 0), {.retry = RetryOn<std::range_error>{.times = 3}});
        CHECK(reply.rank() > 0);
        CHECK(reply.raise(std::range_error("enough")));
        CHECK_THROWS_AS(static_cast<void>(reply.get()), std::range_error);
    });
}

TEST_CASE("raise: a future that depends on several tasks raises in each") {
    runJob(defineConducts, [](Master& master) {
        std::vector<Future<Multiplied>> replies;
        for (int i = 0; i < 5; ++i) replies.push_back(master.submit(Multiply(raisetest::Waits, i)));
        auto all = whenAll(std::move(replies));
        CHECK(all.raise(std::range_error("all of you")));
        CHECK_THROWS_AS(all.get(), std::range_error);
        CHECK_THROWS_AS(master.submit(Multiply(raisetest::Answers, 1)).raise(std::exception_ptr()), UsageError);
    });
}

TEST_CASE("rank: the master sends to the slave that has begun the task") {
    runJob(defineConducts, [](Master& master) {
        std::vector<Future<Multiplied>> replies;
        for (int i = 0; i < 12; ++i) replies.push_back(master.submit(Multiply(raisetest::Waits, i)));
        for (int i = 0; i < 12; ++i) {
            Future<Multiplied>& reply = replies[static_cast<std::size_t>(i)];
            const int rank = reply.rank();
            CHECK(rank > 0);
            CHECK(reply.rank() == rank);
            master.connector().send(rank, 100 + i);
            const Multiplied answer = reply.get();
            CHECK(answer.value == 100 + i);
            CHECK(answer.sender() == rank);
        }
    });
}

TEST_CASE("rank: of a task that is done, that was cancelled before its begin, and of a function") {
    runJob(defineConducts, [](Master& master) {
        Future<Multiplied> reply = master.submit(Multiply(raisetest::Answers, 1));
        while (!reply.ready()) {}
        CHECK(reply.rank() > 0);
        Future<Multiplied> after = reply.then([](const Multiplied& number) { return number; });
        CHECK_THROWS_AS(static_cast<void>(after.rank()), UsageError);
        CHECK(after.get().value == 1);

        std::vector<Future<Multiplied>> busy;
        for (int i = 0; i < master.slaveCount(); ++i) {
            busy.push_back(master.submit(Multiply(raisetest::Waits, 0)));
            CHECK(busy.back().rank() > 0);    // one slave more is held
        }
        Future<Multiplied> last = master.submit(Multiply(raisetest::Answers, 1));
        CHECK_THROWS_AS(static_cast<void>(last.rank(Deadline::in(20ms))), TimeoutError);
        if (last.cancel()) CHECK_THROWS_AS(static_cast<void>(last.rank()), Cancelled);
        for (Future<Multiplied>& each : busy) each.raise(std::range_error("the end"));
        for (Future<Multiplied>& each : busy) CHECK_THROWS_AS(static_cast<void>(each.get()), std::range_error);
    });
}

TEST_CASE("throwOn: an exception for a slave between two tasks waits for a handler, and ends no job") {
    runJob(defineConducts, [](Master& master) {
        Future<Multiplied> first = master.submit(Multiply(raisetest::Answers, 1));
        const int rank = first.rank();
        CHECK(first.get().value == 1);
        master.connector().throwOn(rank, Refused(rank));
        for (int i = 0; i < 50; ++i) CHECK(master.submit(Multiply(raisetest::Answers, i)).get().value == i);
        int refusedCount = 0;
        for (int i = 0; i < 10'000 && refusedCount == 0; ++i) {
            try {
                static_cast<void>(master.submit(Multiply(raisetest::Looks1, i)).get());
            } catch (const Refused& refused) {
                CHECK(refused.number == rank);
                ++refusedCount;
            }
        }
        CHECK(refusedCount == 1);
    });
}

TEST_CASE("knownRank: the slave of a task is told without a wait, also when its handler makes no call") {
    runUngroupedJob(defineConducts, [](Master& master) {
        std::vector<Future<Multiplied>> begun;
        for (int slave = 0; slave < master.slaveCount(); ++slave) begun.push_back(master.submit(Multiply(raisetest::Waits, 0)));
        std::vector<int> slaves;
        for (Future<Multiplied>& one : begun) slaves.push_back(one.rank());
        for (std::size_t i = 0; i < begun.size(); ++i) CHECK(begun[i].knownRank() == slaves[i]);
        Future<Multiplied> cancelled = master.submit(Multiply(raisetest::Answers, 1));
        if (cancelled.cancel()) CHECK(cancelled.knownRank() == std::nullopt);
        for (const int slave : slaves) master.connector().send(slave, 7);
        for (std::size_t i = 0; i < begun.size(); ++i) {
            while (!begun[i].ready()) {}
            CHECK(begun[i].knownRank() == slaves[i]);
            CHECK(begun[i].get().value == 7);
        }
        Future<long> then = master.submit(Multiply(raisetest::Answers, 3)).then([](const Multiplied& reply) { return reply.value; });
        CHECK_THROWS_AS(static_cast<void>(then.knownRank()), UsageError);
        CHECK(then.get() == 3);
    });
}

TEST_CASE("knownRank: in a job with sub-masters only slaves are told") {
    runJob(defineConducts, [](Master& master) {
        Future<Multiplied> reply = master.submit(Multiply(raisetest::Waits, 0));
        const std::optional<int> early = reply.knownRank();
        const int rank = reply.rank();
        if (early) CHECK(*early == rank);
        CHECK(reply.knownRank() == rank);
        master.connector().send(rank, 5);
        CHECK(reply.get().value == 5);
    });
}
