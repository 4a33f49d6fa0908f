// Deadlocks in jobs: the master waits in a call of its own, while a handler waits for a message that never comes.
// The tests never wait on purpose.
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/journal/Journal.hpp>
#include <ferry/framework/master/BesideJob.hpp>
#include <ferry/framework/monitor/JobMonitor.hpp>
#include <ferry/tests/framework/JournalFiles.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace deadlockjobtest {

constexpr std::chrono::milliseconds quietTime{3};

void checkEndOfStuck(int status) { CHECK(status == exitStatus::success); }

/// A job with the monitor of a user who gives no option: progress is shown each half minute.
/// With hasJournal, the job has a journal and a trace.
struct Watched {
    Watched(Master& plain, bool hasJournal)
        : monitor(detail::MonitorSettings{false, {}, hasJournal ? (folder / "trace.json").string() : std::string()},
                  plain.connector().size() - 1, plain.connector().now()) {
        if (hasJournal) {
            detail::JournalSettings settings = journalSettings(folder / "journal");
            settings.flushInterval = 1ms;
            journal = std::make_unique<detail::Journal>(settings);
        }
        master = std::make_unique<Master>(plain.connector(), detail::BesideJob{journal.get(), &monitor, nullptr, groupsOfThisJob()});
    }

    TemporaryFolder folder;
    std::unique_ptr<detail::Journal> journal;
    detail::JobMonitor monitor;
    std::unique_ptr<Master> master;
};

/// With left 0 the handler waits for ever. With left -1 it fails at the first try, and waits for ever at the second.
void defineStuck(Slave& slave) {
    slave.on<Multiply>([](const Multiply& task, Task& about) {
        if (task.left == -1 && detail::activeContext().empty()) throw std::range_error("the first try");
        if (task.left <= 0) static_cast<void>(about.connector().receive<int>(0));
        return Multiplied(static_cast<long>(task.left) * task.right);
    });
}

struct Way {
    const char* name;
    std::function<void(Master&)> wait;
};

const std::vector<Way>& ways() {
    static const std::vector<Way> all{
        {"get", [](Master& master) { static_cast<void>(master.submit(Multiply(0, 1)).get()); }},
        {"get of one of several",
         [](Master& master) {
             auto done = master.submit(Multiply(3, 1));
             auto stuck = master.submit(Multiply(0, 1));
             auto other = master.submit(Multiply(4, 1));
             static_cast<void>(stuck.get());
         }},
        {"map",
         [](Master& master) {
             for (const MapOrder order : {MapOrder::Submission, MapOrder::Completion}) {
                 for (const Multiplied& reply : master.map(std::vector<Multiply>{{1, 1}, {0, 1}, {2, 1}}, order)) static_cast<void>(reply);
             }
         }},
        {"map in the order of completion",
         [](Master& master) {
             for (const Multiplied& reply : master.map(std::vector<Multiply>{{0, 1}}, MapOrder::Completion)) static_cast<void>(reply);
         }},
        {"waitForAll",
         [](Master& master) {
             static_cast<void>(master.submit(Multiply(0, 1)));
             master.waitForAll();
         }},
        {"then",
         [](Master& master) {
             auto after = master.submit(Multiply(0, 1)).then([](const Multiplied& reply) { return reply.value; });
             static_cast<void>(after.get());
         }},
        {"a wait in what comes after another task",
         [](Master& master) {
             auto after =
                 master.submit(Multiply(2, 1)).then([&master](const Multiplied&) { return master.submit(Multiply(0, 1)).get().value; });
             static_cast<void>(after.get());
         }},
        {"a retry with back-off",
         [](Master& master) {
             static_cast<void>(master.submit(Multiply(-1, 1), {.retry = RetryOn<std::range_error>{.times = 2, .backOff = 2ms}}).get());
         }},
        {"a task whose deadline has passed",
         [](Master& master) {
             // On a busy machine the deadline may pass before the task begins, which ends the task. Then the next deadline is longer.
             for (std::chrono::milliseconds time = 2ms;; time *= 10) {
                 try {
                     static_cast<void>(master.submit(Multiply(0, 1), {.deadline = Deadline::in(time)}).get());
                     return;
                 } catch (const TimeoutError&) {
                     if (time > 10s) throw;
                 }
             }
         }},
    };
    return all;
}

/// Each way runs in its own job, since a task that waits is left behind.
void checkAllWays(bool hasJournal) {
    for (const Way& way : ways()) {
        INFO(std::string(way.name));
        onJobRanks({.define = defineStuck,
                    .program =
                        [&way, hasJournal](Master& plain) {
                            Watched watched(plain, hasJournal);
                            try {
                                way.wait(*watched.master);
                                FAIL_CHECK("nobody sends what the handler waits for: ", way.name);
                            } catch (const Deadlock& deadlock) {
                                CHECK(deadlock.ranks().size() == static_cast<std::size_t>(plain.connector().size()));
                            }
                        },
                    .check = checkEndOfStuck,
                    .quietTime = quietTime});
    }
}

}    // namespace deadlockjobtest

using namespace deadlockjobtest;

TEST_CASE("Deadlock: it is found in every wait of a master whose progress is shown") { checkAllWays(false); }

TEST_CASE("Deadlock: it is found in every wait of a master with a journal and a trace") { checkAllWays(true); }

TEST_CASE("Deadlock: it is found whatever the handler waits in") {
    const std::vector<std::function<void(Connector&)>> waits{
        [](Connector& c) { static_cast<void>(c.receive<std::string>(0)); },
        [](Connector& c) { c.barrier(); },
        [](Connector& c) { c.guarded([] {}); },
        [](Connector& c) { c.guarded([&c] { static_cast<void>(c.allReduce(1, Sum{})); }); },
        [](Connector& c) { static_cast<void>(c.expect<int>(0).get()); },
        [](Connector& c) { static_cast<void>(c.receive()); },
        [](Connector& c) { static_cast<void>(c.receive<int>(c.size() - 1)); },
    };
    for (const auto& wait : waits) {
        onJobRanks({.define =
                        [&wait](Slave& slave) {
                            slave.on<Note>([&wait](const Note&, Task& about) {
                                wait(about.connector());
                                return Done();
                            });
                        },
                    .program =
                        [](Master& plain) {
                            Watched watched(plain, false);
                            CHECK_THROWS_AS(static_cast<void>(watched.master->submit(Note("wait")).get()), Deadlock);
                        },
                    .check = checkEndOfStuck,
                    .quietTime = quietTime});
    }
}

TEST_CASE("Deadlock: a task that takes far longer than a stillness is no deadlock") {
    onJobRanks({.define =
                    [](Slave& slave) {
                        slave.on<Multiply>([](const Multiply& task) {
                            const auto until = std::chrono::steady_clock::now() + 100 * quietTime;
                            while (std::chrono::steady_clock::now() < until) {}
                            return Multiplied(task.left);
                        });
                    },
                .program =
                    [](Master& plain) {
                        Watched watched(plain, true);
                        auto one = watched.master->submit(Multiply(7, 1));
                        auto other = watched.master->submit(Multiply(8, 1));
                        CHECK(other.get().value == 8);
                        CHECK(one.get().value == 7);
                    },
                .check = checkEndOfStuck,
                .quietTime = quietTime});
}

TEST_CASE("Deadlock: a pause before another try is no deadlock") {
    onJobRanks({.define =
                    [](Slave& slave) {
                        slave.on<Multiply>([](const Multiply& task) {
                            if (detail::activeContext().empty()) throw std::range_error("the first try");
                            return Multiplied(task.left);
                        });
                    },
                .program =
                    [](Master& plain) {
                        Watched watched(plain, false);
                        const detail::Retry retry = RetryOn<std::range_error>{.times = 1, .backOff = 30 * quietTime};
                        CHECK(watched.master->submit(Multiply(7, 1), {.retry = retry}).get().value == 7);
                    },
                .check = checkEndOfStuck,
                .quietTime = quietTime});
}

TEST_CASE("Slave: a handler that waits keeps back no reply of the tasks before it") {
    onJobRanks({.define =
                    [](Slave& slave) {
                        slave.on<Note>([](const Note&, Task& about) { static_cast<void>(about.connector().receive<int>(0)); });
                        slave.on<Multiply>([](const Multiply& task, Task& about) {
                            if (task.left == 0) static_cast<void>(about.connector().receive<std::string>(0));
                            return Multiplied(task.left);
                        });
                    },
                .program =
                    [](Master& master) {
                        Connector& connector = master.connector();
                        const auto sendAll = [&connector](const auto& value) {
                            for (int slave = 1; slave < connector.size(); ++slave) connector.send(slave, value);
                        };
                        for (const Multiplied& reply : master.map(std::vector<Multiply>(200, {1, 1}))) CHECK(reply.value == 1);
                        // All slaves are busy, so that the next two tasks can arrive in one letter.
                        std::vector<Future<Done>> busy;
                        for (int slave = 0; slave < master.slaveCount(); ++slave) busy.push_back(master.submit(Note("hold")));
                        auto first = master.submit(Multiply(5, 1));
                        auto waiting = master.submit(Multiply(0, 1));
                        // A slave may have got several of these tasks one after the other, so each gets a number for all of them.
                        for (std::size_t i = 0; i < busy.size(); ++i) sendAll(1);
                        CHECK(first.get().value == 5);
                        sendAll(std::string("go on"));
                        CHECK(waiting.get().value == 0);
                    },
                .check = checkEndOfStuck,
                .quietTime = quietTime});
}
