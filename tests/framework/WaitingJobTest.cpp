#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;
using namespace std::chrono_literals;

namespace waitingjobtest {

/// Each task waits until the master allows it.
void definePatient(Slave& slave) {
    slave.on<Multiply>([](const Multiply& task, Task& about) {
        static_cast<void>(about.connector().receive<int>(0));
        return Multiplied(static_cast<long>(task.left) * task.right);
    });
}

void allowTasks(Master& master, int countOnEach) {
    for (int slave = 1; slave < master.connector().size(); ++slave) {
        for (int i = 0; i < countOnEach; ++i) master.connector().send(slave, i);
    }
}

void checkSuccess(int status) { CHECK(status == exitStatus::success); }

}    // namespace waitingjobtest

using namespace waitingjobtest;

TEST_CASE("Future: at its deadline get() says which slave has the task, and can be called again") {
    onJobRanks({definePatient,
                [](Master& master) {
                    auto future = master.submit(Multiply(6, 7));
                    try {
                        static_cast<void>(future.get(Deadline::in(5ms)));
                        FAIL_CHECK("the task was not allowed yet");
                    } catch (const TimeoutError& error) {
                        CHECK(error.ranks() == std::vector<int>{1});
                        CHECK(error.awaited() == "the reply to task 1 from rank 1");
                    }
                    CHECK(future.isValid());
                    allowTasks(master, 1);
                    CHECK(future.get(Deadline::in(1min)).value == 42);
                },
                checkSuccess});
}

TEST_CASE("MapRange: a loop that came to a deadline goes on with the same reply") {
    for (const MapOrder order : {MapOrder::Submission, MapOrder::Completion}) {
        onJobRanks({definePatient,
                    [order](Master& master) {
                        const std::vector<Multiply> tasks{{1, 1}, {2, 1}, {3, 1}, {4, 1}};
                        auto replies = master.map(tasks, order);
                        long sum = 0;
                        for (int round = 0; round < 2; ++round) {
                            const auto limit = master.connector().limitWaits(Deadline::in(3ms));
                            CHECK_THROWS_AS(
                                [&] {
                                    for (const Multiplied& reply : replies) sum += reply.value;
                                }(),
                                TimeoutError);
                        }
                        allowTasks(master, 4);
                        for (const Multiplied& reply : replies) sum += reply.value;
                        CHECK(sum == 10);
                    },
                    checkSuccess});
    }
}

TEST_CASE("Deadlock: a master that waits for what an idle slave never sends is told, and the job goes on") {
    onJobRanks({[](Slave& slave) {
                    slave.on<Note>([](const Note&) { return Done(); });
                    slave.setUp([](Connector& connector) {
                        connector.findDeadlocksAfter(2ms);
                        return std::make_shared<int>(0);
                    });
                },
                [](Master& master) {
                    master.connector().findDeadlocksAfter(2ms);
                    try {
                        static_cast<void>(master.connector().receive<int>(1));
                        FAIL_CHECK("nobody sends");
                    } catch (const Deadlock& deadlock) {
                        CHECK(deadlock.ranks().size() == static_cast<std::size_t>(master.connector().size()));
                        CHECK(deadlock.ranks().back().awaited.what == "a task from the master (rank 0)");
                    }
                    static_cast<void>(master.submit(Note("go on")).get());
                },
                checkSuccess});
}
