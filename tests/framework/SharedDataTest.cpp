#include <ferry/framework/master/Master.hpp>

#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

// More ints than SharedObjects::treeIntsAtLeast. So the table goes through the tree if there are enough slaves for a tree.
constexpr int largeCount = 200'000;

Table tableOf(int count, int value) { return Table{std::vector<int>(static_cast<std::size_t>(count), value)}; }

/// The handler returns left plus the sum of the shared table. The first byte of the reply is the version of the table.
void defineSum(Slave& slave) {
    slave.on<Multiply>([](const Multiply& task, Task& context) {
        const Table& table = context.shared<Table>();
        Multiplied sum(std::accumulate(table.rows.begin(), table.rows.end(), static_cast<long>(task.left)));
        sum.bytes.push_back(static_cast<char>(context.sharedVersion<Table>()));
        return sum;
    });
}

/// Submits tasks for every slave, and checks that all slaves have the table of this version.
void checkSums(Master& master, long tableSum, int version) {
    std::vector<Multiply> tasks;
    for (int i = 0; i < 10 * master.slaveCount(); ++i) tasks.emplace_back(i, 0);
    int left = 0;
    for (const Multiplied& sum : master.map(tasks)) {
        CHECK(sum.value == tableSum + left++);
        CHECK(sum.bytes == std::vector<char>{static_cast<char>(version)});
    }
}

}    // namespace

TEST_CASE("Master::share: large and small objects, at the start and while tasks are under way, each a version of its own") {
    runJob(defineSum, [](Master& master) {
        CHECK(master.share(tableOf(largeCount, 1)) == 1);
        checkSums(master, largeCount, 1);
        CHECK(master.share(tableOf(3, 2)) == 2);
        checkSums(master, 6, 2);
        for (int version = 3; version < 10; ++version) {
            CHECK(master.share(tableOf(largeCount + version, version)) == version);    // the slaves may still read the previous table
            if (version % 2 == 0) checkSums(master, static_cast<long>(largeCount + version) * version, version);
        }
        checkSums(master, static_cast<long>(largeCount + 9) * 9, 9);
    });
}

TEST_CASE("Master::share: an object that comes while slaves are at work counts for the tasks behind it only") {
    runJob(defineSum, [](Master& master) {
        CHECK(master.share(tableOf(largeCount, 1)) == 1);
        std::vector<Future<Multiplied>> before;
        for (int i = 0; i < 3 * master.slaveCount(); ++i) before.push_back(master.submit(Multiply(i, 0)));
        CHECK(master.share(tableOf(2 * largeCount, 1)) == 2);
        const Multiplied behind = master.submit(Multiply(0, 0)).get();
        CHECK(behind.value == 2 * largeCount);
        CHECK(behind.bytes.front() == 2);
        for (Future<Multiplied>& future : before) {
            const Multiplied sum = future.get();
            CHECK((sum.bytes.front() == 1 || sum.bytes.front() == 2));    // the task may have waited on the master for a slave
        }
    });
}

TEST_CASE("Master::unshare: tasks behind it find nothing, and a later object goes on with the versions") {
    runJob(defineSum, [](Master& master) {
        CHECK_FALSE(master.unshare<Table>());
        CHECK(master.share(tableOf(largeCount, 1)) == 1);
        checkSums(master, largeCount, 1);
        CHECK(master.unshare<Table>());
        CHECK_FALSE(master.unshare<Table>());
        CHECK_THROWS_AS(master.submit(Multiply(0, 0)).get(), UsageError);
        CHECK(master.share(tableOf(5, 1)) == 2);
        checkSums(master, 5, 2);
    });
}
