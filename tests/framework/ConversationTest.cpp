// The master waits in a call of its connector for letters of its handlers. Each such wait moves the job on.
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace conversationtest {

constexpr std::size_t largeCount = 600'000;    // numbers of a message that MPI does not buffer

enum Conduct : int {
    Tells,          ///< the handler sends the right number of its task to the master
    TellsAtLast,    ///< the handler fails at the first try, and sends at the second
    TellsItsEnd,    ///< the handler sends when the task is cancelled
    SaysNothing,    ///< the handler returns
};

void defineTalking(Slave& slave) {
    slave.on<Multiply>([](const Multiply& task, Task& about) {
        if (task.left == TellsAtLast && detail::activeContext().empty()) throw std::range_error("the first try");
        if (task.left != SaysNothing) about.connector().send(0, task.right);
        return Multiplied(task.right);
    });
}

/// Ways in which a rank asks again and again for an int of another rank, and waits in no call.
struct Polling {
    const char* name;
    std::function<int(Connector&, int from)> ask;
};

const std::vector<Polling>& pollings() {
    static const std::vector<Polling> all{
        {"tryReceive",
         [](Connector& connector, int from) {
             std::optional<int> number;
             while (!(number = connector.tryReceive<int>(from))) {}
             return *number;
         }},
        {"tryProbe",
         [](Connector& connector, int from) {
             while (!connector.tryProbe({.from = from})) {}
             return connector.receive<int>(from);
         }},
        {"Pending::ready()",
         [](Connector& connector, int from) {
             Pending<int> number = connector.expect<int>(from);
             while (!number.ready()) {}
             return number.get();
         }},
    };
    return all;
}

}    // namespace conversationtest

using namespace conversationtest;

TEST_CASE("Conversation: submit, receive from the handler, get, hundreds of times") {
    runJob(defineTalking, [](Master& master) {
        long sum = 0;
        for (int i = 0; i < 300; ++i) {
            Future<Multiplied> reply = master.submit(Multiply(Tells, i));
            sum += master.connector().receive<int>();
            CHECK(reply.get().value == i);
        }
        CHECK(sum == 299L * 300 / 2);
    });
}

TEST_CASE("Conversation: a master that asks again and again for what a handler sends moves the job on") {
    for (const Polling& polling : pollings()) {
        runJob(defineTalking, [&polling](Master& master) {
            INFO(std::string(polling.name));
            for (int i = 0; i < 20; ++i) {
                Future<Multiplied> reply = master.submit(Multiply(Tells, i));
                CHECK(polling.ask(master.connector(), AnyRank) == i);
                CHECK(reply.get().value == i);
            }
        });
    }
}

// The reply to the first task of a letter waits for the others of the letter.
TEST_CASE("Conversation: a handler that asks again and again holds back no reply to an earlier task") {
    for (const Polling& polling : pollings()) {
        const auto define = [&polling](Slave& slave) {
            slave.on<Multiply>([&polling](const Multiply& task, Task& about) {
                return Multiplied(task.left == SaysNothing ? task.right : polling.ask(about.connector(), 0));
            });
        };
        runUngroupedJob(define, [&polling](Master& master) {
            INFO(std::string(polling.name));
            for (int round = 0; round < 20; ++round) {
                std::vector<Future<Multiplied>> early;
                for (int i = 0; i < 50; ++i) early.push_back(master.submit(Multiply(SaysNothing, 5)));    // more than a slave gets at once
                Future<Multiplied> late = master.submit(Multiply(Tells, 0));
                for (Future<Multiplied>& reply : early) CHECK(reply.get().value == 5);
                master.connector().send(late.rank(), 7);
                CHECK(late.get().value == 7);
            }
        });
    }
}

TEST_CASE("Conversation: more tasks than the slaves can hold, and the master hears all handlers before it asks for a reply") {
    runJob(defineTalking, [](Master& master) {
        std::vector<Future<Multiplied>> replies;
        for (int i = 0; i < 200; ++i) replies.push_back(master.submit(Multiply(Tells, i)));
        long sum = 0;
        for (int i = 0; i < 200; ++i) sum += master.connector().receive<int>();
        CHECK(sum == 199L * 200 / 2);
        for (int i = 0; i < 200; ++i) CHECK(replies[static_cast<std::size_t>(i)].get().value == i);
    });
}

TEST_CASE("Conversation: a further try begins while the master waits in its connector") {
    runJob(defineTalking, [](Master& master) {
        Future<Multiplied> reply =
            master.submit(Multiply(TellsAtLast, 7), {.retry = RetryOn<std::range_error>{.times = 1, .backOff = 1ms}});
        CHECK(master.connector().receive<int>() == 7);
        CHECK(reply.get().value == 7);
    });
}

TEST_CASE("Conversation: handlers send large arrays at once, and the master receives one and then asks for the replies") {
    const auto define = [](Slave& slave) {
        slave.on<Multiply>([](const Multiply& task, Task& about) {
            if (task.left == Tells) about.connector().send(0, std::vector<double>(largeCount, task.right));
            return Multiplied(task.right);
        });
    };
    runJob(define, [](Master& master) {
        constexpr int speakers = 12;
        std::vector<Future<Multiplied>> replies;
        for (int i = 0; i < 20 * speakers; ++i) replies.push_back(master.submit(Multiply(i % 20 == 0 ? Tells : SaysNothing, i)));
        for (int i = 0; i < speakers; ++i) {
            CHECK(master.connector().receive<std::vector<double>>().size() == largeCount);
            if (i != 0) continue;
            for (Future<Multiplied>& reply : replies) static_cast<void>(reply.get());
        }
    });
}

TEST_CASE("Conversation: tasks that wait behind a handler that waits for the master are done by slaves that are free") {
    // Without groups: there the sub-master has the tasks.
    runUngroupedJob(
        [](Slave& slave) {
            slave.on<Multiply>([](const Multiply& task) { return Multiplied(task.right); });
            slave.on<Brittle>([](const Brittle& task, Task& about) {
                about.connector().send(0, about.connector().rank());
                about.connector().receive<int>(0);
                return BrittleReply(task.number);
            });
        },
        [](Master& master) {
            const int slaves = master.slaveCount();
            for (int i = 0; i < 100 * slaves; ++i) CHECK(master.submit(Multiply(1, i)).get().value == i);    // are known to be short
            for (int round = 0; round < 20; ++round) {
                std::vector<Future<BrittleReply>> waiting;
                for (int i = 0; i < slaves; ++i) waiting.push_back(master.submit(Brittle(0)));
                std::vector<int> ranks;
                while (static_cast<int>(ranks.size()) < slaves) ranks.push_back(master.connector().receive<int>());
                std::vector<Future<Multiplied>> behind;
                for (int i = 0; i < 4 * slaves; ++i) behind.push_back(master.submit(Multiply(1, i)));
                const int last = ranks.back();
                ranks.pop_back();
                for (const int rank : ranks) master.connector().send(rank, 1);
                if (slaves == 1) master.connector().send(last, 1);    // nobody else is there
                for (int i = 0; i < 4 * slaves; ++i) CHECK(behind[static_cast<std::size_t>(i)].get().value == i);
                if (slaves > 1) master.connector().send(last, 1);
                for (Future<BrittleReply>& each : waiting) CHECK(each.get().number == 0);
            }
        });
}

TEST_CASE("Conversation: tasks and replies outlive a guarded region that fails") {
    const auto define = [](Slave& slave) {
        defineTalking(slave);
        slave.on<Note>([](const Note&, Task& about) {
            Connector& connector = about.connector();
            const auto region = [&connector] {
                connector.barrier();
                if (connector.rank() == 1) throw std::range_error("in the region");
                connector.barrier();
            };
            CHECK_THROWS(connector.guarded(region));
            return Done();
        });
    };
    runUngroupedJob(define, [](Master& master) {
        std::vector<Future<Done>> inRegion;
        for (int slave = 0; slave < master.slaveCount(); ++slave) inRegion.push_back(master.submit(Note("region"), {.priority = 1}));
        std::vector<Future<Multiplied>> beside;
        for (int i = 0; i < 50; ++i) beside.push_back(master.submit(Multiply(SaysNothing, i)));
        CHECK_THROWS(master.connector().guarded([&] {
            for (int i = 50; i < 60; ++i) beside.push_back(master.submit(Multiply(SaysNothing, i)));
            master.connector().barrier();
            master.connector().barrier();
        }));
        for (int i = 0; i < 60; ++i) CHECK(beside[static_cast<std::size_t>(i)].get(Deadline::in(1min)).value == i);
        for (Future<Done>& reply : inRegion) static_cast<void>(reply.get());
    });
}

TEST_CASE("Conversation: a master that has gone leaves the others of its connector at work") {
    runUngroupedJob(defineTalking, [](Master& master) {
        auto first = std::make_unique<Master>(master.connector());
        auto second = std::make_unique<Master>(master.connector());
        first.reset();
        second.reset();
        static_cast<void>(master.submit(Multiply(SaysNothing, 1)).get());
        Future<Multiplied> reply = master.submit(Multiply(Tells, 5));
        CHECK(master.connector().receive<int>() == 5);
        CHECK(reply.get().value == 5);
    });
}

TEST_CASE("Conversation: a number that no handler sends is a deadlock, and the job goes on") {
    onJobRanks({.define = defineTalking,
                .program =
                    [](Master& master) {
                        Future<Multiplied> reply = master.submit(Multiply(SaysNothing, 3));
                        CHECK_THROWS_AS(static_cast<void>(master.connector().receive<int>()), Deadlock);
                        CHECK(reply.get().value == 3);
                    },
                .check = [](int status) { CHECK(status == exitStatus::success); },
                .quietTime = 3ms});
}

TEST_CASE("Conversation: a deadlock says that a function given to then() is due, and which message nobody has received") {
    onJobRanks({.define =
                    [](Slave& slave) {
                        slave.on<Multiply>([](const Multiply& task, Task& about) {
                            about.connector().send(0, std::string("a number"));
                            return Multiplied(task.right);
                        });
                    },
                .program =
                    [](Master& master) {
                        int product = 0;
                        Future<void> done = master.submit(Multiply(0, 3)).then([&](Multiplied reply) { product = reply.value; });
                        try {
                            static_cast<void>(master.connector().receive<int>());
                            FAIL_CHECK("nobody sends an int");
                        } catch (const Deadlock& deadlock) {
                            const std::string text = deadlock.what();
                            CHECK(text.find("a function that was given to then() is due") != std::string::npos);
                            CHECK(text.find("there is a value of type std::string from rank") != std::string::npos);
                        }
                        done.get();
                        CHECK(product == 3);
                    },
                .check = [](int status) { CHECK(status == exitStatus::success); },
                .quietTime = 3ms});
}
