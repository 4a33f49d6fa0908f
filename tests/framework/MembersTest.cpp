#include <ferry/framework/master/Master.hpp>

#include <atomic>
#include <memory>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#include <ferry/framework/exception/SlavesCannotJoin.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

constexpr int endless = -6;

void defineProduct(Slave& slave) {
    slave.on<Multiply>([](const Multiply& task) { return Multiplied(static_cast<long>(task.left) * task.right); });
}

/// Submits more tasks than there are slaves, and checks all results.
void checkProducts(Master& master) {
    std::vector<Multiply> tasks;
    for (int i = 0; i < 10 * master.slaveCount(); ++i) tasks.emplace_back(i, 3);
    long expected = 0;
    for (const Multiplied& product : master.map(tasks)) {
        CHECK(product.value == expected);
        expected += 3;
    }
    CHECK(expected == 3 * static_cast<long>(tasks.size()));
}

}    // namespace

TEST_CASE("Master::dismissSlaves: those that are idle leave, and the others do the tasks") {
    runUngroupedJob(defineProduct, [](Master& master) {
        const int before = master.slaveCount();
        checkProducts(master);
        for (int left = before - 1; left >= 1; --left) {
            CHECK(master.dismissSlaves(1) == 1);
            CHECK(master.slaveCount() == left);
            checkProducts(master);
        }
    });
}

TEST_CASE("Master::dismissSlaves: a slave that has a task stays") {
    const auto define = [](Slave& slave) {
        slave.on<Multiply>([](const Multiply& request, Task& task) {
            while (request.left == endless) task.throwIfCancelled();
            return Multiplied(static_cast<long>(request.left) * request.right);
        });
    };
    runUngroupedJob(define, [](Master& master) {
        Future<Multiplied> future = master.submit(Multiply(endless, 7));
        const int before = master.slaveCount();
        CHECK(master.dismissSlaves(before + 5) == before - 1);
        CHECK(master.slaveCount() == 1);
        CHECK(master.dismissSlaves(1) == 0);
        CHECK_FALSE(future.cancel());
        CHECK_THROWS_AS(static_cast<void>(future.get()), Cancelled);
        checkProducts(master);
    });
}

TEST_CASE("Master::dismissSlaves: when nothing is open all may go, and a task behind that is told so") {
    runUngroupedJob(defineProduct, [](Master& master) {
        checkProducts(master);
        CHECK(master.dismissSlaves(master.slaveCount()) > 0);
        CHECK(master.slaveCount() == 0);
        CHECK(master.dismissSlaves(1) == 0);
        CHECK_THROWS_WITH_AS(static_cast<void>(master.submit(Multiply(1, 1))),
                             "there is no slave to do the task: all have been dismissed (Master::dismissSlaves)", UsageError);
    });
}

TEST_CASE("Master::dismissSlaves: shared objects reach those that stay, also large ones") {
    const auto define = [](Slave& slave) {
        slave.on<Multiply>([](const Multiply&, Task& task) {
            const Table& table = task.shared<Table>();
            return Multiplied(std::accumulate(table.rows.begin(), table.rows.end(), 0L));
        });
    };
    runUngroupedJob(define, [](Master& master) {
        constexpr int count = 100'000;
        for (int value = 1; master.slaveCount() > 0; ++value) {
            master.share(Table{std::vector<int>(count, value)});
            const std::vector<Multiply> tasks(static_cast<std::size_t>(5 * master.slaveCount()));
            for (const Multiplied& sum : master.map(tasks)) CHECK(sum.value == static_cast<long>(value) * count);
            CHECK(master.dismissSlaves(1) == 1);
        }
    });
}

TEST_CASE("Master::dismissSlaves: what setUp has made is destroyed while the job goes on") {
    if (detail::MpiEnvironment::isPresent()) return;    // the master counts in its own process, so all ranks have to be threads
    static std::atomic<int> destroyed{0};
    destroyed = 0;
    struct Kept {
        ~Kept() { ++destroyed; }
    };
    const auto define = [](Slave& slave) {
        defineProduct(slave);
        slave.setUp([](Connector&) { return std::make_shared<Kept>(); });
    };
    int expected = 0;    // sum over all jobs so far
    runUngroupedJob(define, [&expected](Master& master) {
        checkProducts(master);
        expected += master.slaveCount();
        master.dismissSlaves(master.slaveCount());
        while (destroyed < expected) master.poll();    // when some are never destroyed, the timeout of the program ends this loop
        CHECK(destroyed == expected);
    });
}

TEST_CASE("Master: wrong numbers of slaves to join or leave are refused") {
    runUngroupedJob(defineProduct, [](Master& master) {
        CHECK_THROWS_WITH_AS(master.dismissSlaves(-1), "dismissSlaves: expected a number of slaves from 0, found -1", UsageError);
        CHECK_THROWS_WITH_AS(master.addSlaves(-2), "addSlaves: expected a number of slaves from 0, found -2", UsageError);
        CHECK(master.dismissSlaves(0) == 0);
        master.addSlaves(0);
        CHECK_THROWS_WITH_AS(master.addSlaves(1),
                             "no slave can join this job: only an Application can start slaves, and this master was made without one",
                             SlavesCannotJoin);
        checkProducts(master);
    });
}
