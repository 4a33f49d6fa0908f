#include <ferry/framework/master/Master.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <numeric>
#include <ranges>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/UnknownException.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/exception/xassert.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

void defineMultiply(Slave& slave) {
    slave.on<Multiply>([](const Multiply& task) {
        if (task.left == 13) throw Refused(task.right);
        if (task.left == 14) throw std::out_of_range("left is 14");
        if (task.left == 15) throw task.left;
        return Multiplied(static_cast<long>(task.left) * task.right);
    });
}

std::vector<Multiply> tasksUpTo(int count) {
    std::vector<Multiply> tasks;
    for (int i = 0; i < count; ++i) tasks.emplace_back(2000 + i, 3);
    return tasks;
}

}    // namespace

TEST_CASE("Master: a submitted task is done by a slave, and its reply comes through the future") {
    runJob(defineMultiply, [](Master& master) {
        Future<Multiplied> future = master.submit(Multiply(6, 7));
        const Multiplied product = future.get();
        CHECK(product.value == 42);
        CHECK(product.sender() > 0);
        CHECK_FALSE(future.isValid());
        CHECK_THROWS_AS(future.get(), UsageError);
    });
}

TEST_CASE("Master: futures may be asked for in any order") {
    runJob(defineMultiply, [](Master& master) {
        std::vector<Future<Multiplied>> futures;
        for (int i = 0; i < 50; ++i) futures.push_back(master.submit(Multiply(i + 100, 2)));
        for (int i = 49; i >= 0; --i) CHECK(futures[static_cast<std::size_t>(i)].get().value == 2 * (i + 100));
    });
}

TEST_CASE("Master: an exception of a handler arrives at get() with its class and its data, and the slave goes on") {
    runJob(defineMultiply, [](Master& master) {
        auto refused = master.submit(Multiply(13, 5));
        auto outOfRange = master.submit(Multiply(14, 5));
        auto number = master.submit(Multiply(15, 5));
        try {
            refused.get();
            FAIL_CHECK("no exception");
        } catch (const Refused& e) {
            CHECK(e.number == 5);
            CHECK(e.origin().rank > 0);
            CHECK(e.origin().task == "ferry::test::Multiply");
            CHECK(e.origin().taskNumber == 1);
        }
        CHECK_THROWS_WITH_AS(outOfRange.get(), "left is 14", std::out_of_range);
        try {
            number.get();
            FAIL_CHECK("no exception");
        } catch (const UnknownException& e) {
            CHECK(e.typeName() == "int");
        }
        CHECK(master.submit(Multiply(2, 2)).get().value == 4);
    });
}

TEST_CASE("Master: where the job does not survive deaths, an exception that costs its process is the failure of the task") {
    runJob(
        [](Slave& slave) {
            slave.on<Multiply>([](const Multiply& request) {
                if (request.left == 1) throw Spoiled("the device is lost");
                return Multiplied(static_cast<long>(request.left) * request.right);
            });
        },
        [](Master& master) {
            for (int i = 0; i < 10; ++i) {
                auto spoiled = master.submit(Multiply(1, i));
                try {
                    spoiled.get();
                    FAIL_CHECK("no exception");
                } catch (const Spoiled& e) {
                    CHECK(std::string(e.what()) == "the device is lost");
                    CHECK_FALSE(e.costsProcess());    // here the process works
                }
                CHECK(master.submit(Multiply(2, i)).get().value == 2 * i);
            }
        });
}

TEST_CASE("Master: map hands out the replies in the order of the tasks") {
    runJob(defineMultiply, [](Master& master) {
        const std::vector<Multiply> tasks = tasksUpTo(300);
        long expected = 2000;
        for (const Multiplied& product : master.map(tasks)) CHECK(product.value == 3 * expected++);
        CHECK(expected == 2300);
    });
}

TEST_CASE("Master: map in the order of completion hands out each reply once") {
    runJob(defineMultiply, [](Master& master) {
        std::set<long> seen;
        for (const Multiplied& product : master.map(tasksUpTo(300), MapOrder::Completion)) seen.insert(product.value);
        CHECK(seen.size() == 300);
        CHECK(*seen.begin() == 6000);
        CHECK(*seen.rbegin() == 3 * 2299);
    });
}

TEST_CASE("Master: a function of then() runs while an endless map goes on, in either order") {
    runJob(defineMultiply, [](Master& master) {
        const auto endless = std::views::iota(0) | std::views::transform([](int i) { return Multiply(1, i); });
        for (const MapOrder order : {MapOrder::Submission, MapOrder::Completion}) {
            bool hasRun = false;
            const auto after = master.submit(Multiply(1, 2)).then([&hasRun](const Multiplied&) { hasRun = true; });
            for ([[maybe_unused]] const Multiplied& product : master.map(endless, order)) {
                if (hasRun) break;
            }
            CHECK(hasRun);
        }
    });
}

TEST_CASE("Master: map over nothing, and one left half-way") {
    runJob(defineMultiply, [](Master& master) {
        for (const Multiplied& product : master.map(std::vector<Multiply>())) FAIL_CHECK(product.value);
        int count = 0;
        for (const Multiplied& product : master.map(tasksUpTo(100))) {
            static_cast<void>(product);
            if (++count == 10) break;
        }
        CHECK(master.submit(Multiply(1, 1)).get().value == 1);
    });
}

TEST_CASE("Master: a task that fails ends its map with the exception, and the master goes on") {
    runJob(defineMultiply, [](Master& master) {
        std::vector<Multiply> tasks = tasksUpTo(40);
        tasks[20] = Multiply(13, 20);
        int count = 0;
        const auto mapAll = [&] {
            for (const Multiplied& product : master.map(tasks)) count += product.value != 0;
        };
        CHECK_THROWS_AS(mapAll(), Refused);
        CHECK(count == 20);
        CHECK(master.submit(Multiply(1, 9)).get().value == 9);
    });
}

TEST_CASE("Master: after a task that failed, a loop over the same map goes on with the reply after it") {
    runJob(defineMultiply, [](Master& master) {
        std::vector<Multiply> tasks = tasksUpTo(40);
        tasks[0] = tasks[20] = tasks[21] = tasks[39] = Multiply(13, 20);
        for (const MapOrder order : {MapOrder::Submission, MapOrder::Completion}) {
            auto replies = master.map(tasks, order);
            std::vector<long> values;
            int failureCount = 0;
            for (bool isComplete = false; !isComplete;) {
                try {
                    for (const Multiplied& product : replies) values.push_back(product.value);
                    isComplete = true;
                } catch (const Refused&) {
                    ++failureCount;
                }
            }
            CHECK(failureCount == 4);
            std::vector<long> expected;
            for (int i = 0; i < 40; ++i) {
                if (i != 0 && i != 20 && i != 21 && i != 39) expected.push_back(3L * (2000 + i));
            }
            if (order == MapOrder::Completion) std::sort(values.begin(), values.end());
            CHECK(values == expected);
            for (const Multiplied& product : replies) FAIL_CHECK("handed out twice: ", product.value);
        }
    });
}

TEST_CASE("Master: a task of a map that cannot be written throws in its turn, once, and the others are done") {
    const auto define = [](Slave& slave) { slave.on<Brittle>([](const Brittle& task) { return BrittleReply(task.number); }); };
    runJob(define, [](Master& master) {
        auto replies = master.map(std::vector<Brittle>{Brittle(10), Brittle(5), Brittle(11), Brittle(3), Brittle(12)});
        std::vector<std::string> seen;
        for (bool isComplete = false; !isComplete;) {
            try {
                for (const BrittleReply& reply : replies) seen.push_back(std::to_string(reply.number));
                isComplete = true;
            } catch (const std::domain_error& error) {
                seen.emplace_back(error.what());
            }
        }
        CHECK(seen == std::vector<std::string>{"10", "5 cannot be written", "11", "3 cannot be read", "12"});
    });
}

TEST_CASE("Master: what is shared is there before the first task, and a later object replaces it") {
    const auto define = [](Slave& slave) {
        slave.on<Multiply>([&slave](const Multiply& task, Task& context) {
            const Table& table = context.shared<Table>();
            CHECK(&table == &slave.shared<Table>());
            return Multiplied(std::accumulate(table.rows.begin(), table.rows.end(), task.left));
        });
    };
    runJob(define, [](Master& master) {
        CHECK_THROWS_AS(master.submit(Multiply(0, 0)).get(), UsageError);
        master.share(Table{{1, 2, 3}});
        for (int i = 0; i < 10; ++i) CHECK(master.submit(Multiply(i, 0)).get().value == 6 + i);
        master.share(Table{std::vector<int>(100'000, 1)});
        for (int i = 0; i < 10; ++i) CHECK(master.submit(Multiply(i, 0)).get().value == 100'000 + i);
    });
}

TEST_CASE("Slave: setUp runs before the first task, its object lives until the slave leaves, and handlers reach it") {
    std::atomic<int> alive{0};
    struct Counter {
        explicit Counter(std::atomic<int>& theAlive) : alive(theAlive) { ++alive; }
        ~Counter() { --alive; }
        Counter(const Counter&) = delete;
        Counter& operator=(const Counter&) = delete;
        std::atomic<int>& alive;
        int tasks = 0;
    };
    const auto define = [&alive](Slave& slave) {
        slave.setUp([&alive](Connector&) { return std::make_shared<Counter>(alive); });
        slave.on<Multiply>([](const Multiply&, Task& task) { return Multiplied(++task.state<Counter>().tasks); });
        slave.on<Note>([](const Note&, Task& task) { static_cast<void>(task.state<std::string>()); });
    };
    const auto program = [](Master& master) {
        long sum = 0;
        for (const Multiplied& product : master.map(tasksUpTo(20))) sum += product.value;
        CHECK(sum >= 20);
        CHECK_THROWS_AS(master.submit(Note("wrong state")).get(), UsageError);
    };
    runJob(define, program);
    CHECK(alive == 0);
}

TEST_CASE("Slave: a handler that returns nothing answers Done; a task without a handler is refused at get()") {
    const auto define = [](Slave& slave) {
        slave.on<Note>([](const Note& note) {
            if (note.text.empty()) throw std::invalid_argument("an empty note");
        });
    };
    runJob(define, [](Master& master) {
        static_cast<void>(master.submit(Note("text")).get());
        CHECK_THROWS_AS(master.submit(Note()).get(), std::invalid_argument);
        CHECK_THROWS_AS(master.submit(Multiply(1, 2)).get(), UsageError);
    });
}

TEST_CASE("Slave: a reply that cannot be written, and a task that cannot be read, arrive as exceptions at get()") {
    const auto define = [](Slave& slave) {
        slave.on<Brittle>([](const Brittle& task) { return BrittleReply(task.number); });
        defineMultiply(slave);
    };
    runJob(define, [](Master& master) {
        CHECK(master.submit(Brittle(1)).get().number == 1);
        CHECK_THROWS_WITH_AS(master.submit(Brittle(2)).get(), "2 cannot be written", std::domain_error);
        CHECK_THROWS_WITH_AS(master.submit(Brittle(3)).get(), "3 cannot be read", std::domain_error);
        CHECK_THROWS_WITH_AS(master.submit(Brittle(4)).get(), "4 cannot be read", std::domain_error);
        CHECK_THROWS_WITH_AS(static_cast<void>(master.submit(Brittle(5))), "5 cannot be written", std::domain_error);
        CHECK(master.submit(Multiply(6, 7)).get().value == 42);
    });
}

TEST_CASE("Master: large tasks and replies, many at once") {
    const auto define = [](Slave& slave) {
        slave.on<Note>([](const Note&) {});
        slave.on<Multiply>([](const Multiply& task) {
            Multiplied product(task.left);
            product.bytes.assign(static_cast<std::size_t>(task.right), static_cast<char>(task.left));
            return product;
        });
    };
    runJob(define, [](Master& master) {
        std::vector<Future<Multiplied>> products;
        std::vector<Future<Done>> notes;
        for (int i = 0; i < 12; ++i) {
            notes.push_back(master.submit(Note(std::string(500'000, 'x'))));
            products.push_back(master.submit(Multiply(i, 700'000)));
        }
        for (int i = 0; i < 12; ++i) {
            const Multiplied product = products[static_cast<std::size_t>(i)].get();
            CHECK(product.bytes == std::vector<char>(700'000, static_cast<char>(i)));
        }
        for (auto& note : notes) static_cast<void>(note.get());
    });
}

TEST_CASE("Master: a failed xassert of a handler ends the job everywhere with its own status") {
    std::atomic<int> unwound{0};
    struct Sentinel {
        explicit Sentinel(std::atomic<int>& theCount) : count(theCount) {}
        Sentinel(const Sentinel&) = delete;
        Sentinel& operator=(const Sentinel&) = delete;
        ~Sentinel() { ++count; }
        std::atomic<int>& count;
    };
    const auto define = [&unwound](Slave& slave) {
        slave.setUp([&unwound](Connector&) { return std::make_shared<Sentinel>(unwound); });
        slave.on<Multiply>([](const Multiply& task) {
            xassert(task.left < 2050, "left of {}", "a test");
            return Multiplied();
        });
    };
    const auto program = [](Master& master) {
        try {
            for (const Multiplied& product : master.map(tasksUpTo(10'000))) static_cast<void>(product);
            FAIL_CHECK("not reached");
        } catch (const AssertionFailure& failure) {
            CHECK(std::string(failure.what()).find("task.left < 2050") != std::string::npos);
            CHECK(failure.origin().rank > 0);
            CHECK_THROWS_AS(master.submit(Multiply(1, 1)), AssertionFailure);    // the job stays stopped
            throw;
        }
    };
    // On the master under mpirun, no slave unwinds in this process.
    onJobRanks({define, program, [&unwound](int exitStatus) {
                    CHECK(exitStatus == exitStatus::assertion);
                    if (detail::rankOfThisThread() > 0) CHECK(unwound > 0);
                }});
}

TEST_CASE("Master: what leaves its program stops slaves in the middle of their tasks") {
    const auto define = [](Slave& slave) {
        slave.on<Multiply>([](const Multiply&, Task& task) -> Multiplied {
            for (;;) task.connector().poll();
        });
    };
    const auto program = [](Master& master) {
        for (int i = 0; i < 8; ++i) static_cast<void>(master.submit(Multiply(i, i)));
        throw std::runtime_error("the master gives up");
    };
    onJobRanks({define, program, [](int exitStatus) { CHECK(exitStatus == exitStatus::exception); }});
}

TEST_CASE("Master: what its program returns is the exit status of every rank; slaves in the middle of their tasks are woken") {
    const auto define = [](Slave& slave) {
        slave.on<Multiply>([](const Multiply&, Task& task) -> Multiplied {
            for (;;) task.connector().poll();
        });
    };
    const auto program = [](Master& master) { static_cast<void>(master.submit(Multiply(1, 1))); };
    onJobRanks({define, program, [](int exitStatus) { CHECK(exitStatus == 7); }, 1, 7});
}

TEST_CASE("Slave: a setUp that throws ends the job") {
    const auto define = [](Slave& slave) {
        slave.setUp([](Connector& connector) {
            if (connector.rank() == connector.size() - 1) throw std::runtime_error("no licence on this node");
        });
        defineMultiply(slave);
    };
    const auto program = [](Master& master) {
        for (;;) static_cast<void>(master.submit(Multiply(1, 1)).get());
    };
    onJobRanks({define, program, [](int exitStatus) { CHECK(exitStatus == exitStatus::exception); }});
}

TEST_CASE("Master: without slaves a task is refused") {
    onRanks([](Connector& connector) {
        if (connector.size() > 1) return;
        Master master(connector);
        CHECK(master.slaveCount() == 0);
        CHECK_THROWS_AS(master.submit(Multiply(1, 1)), UsageError);
    });
}
