// Tasks that kill their slaves, on thousands of schedules. The tests count the slaves that each task kills, and check for harm to other
// tasks.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/simulate.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/connector/transport/simulation/SimulatedTransport.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/exception/PoisonTask.hpp>
#include <ferry/framework/master/Master.hpp>
#include <ferry/framework/slave/Slave.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/simulation/Seeds.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace poisontasktest {

using namespace std::chrono_literals;

constexpr int deadly = 0;    // `left` number of a task that kills its slave; other `right` numbers than 0 let it end itself
constexpr int taskCount = 30;

void define(Slave& slave) {
    slave.on<Multiply>([](const Multiply& request, Task& task) {
        if (request.left == deadly && request.right != 0) throw Spoiled("the device is lost");
        if (request.left == deadly) dynamic_cast<detail::SimulatedTransport&>(detail::mailboxOf(task.connector()).transport()).die();
        for (int i = 0; i < request.right; ++i) task.connector().poll();
        return Multiplied(static_cast<long>(request.left) * request.right);
    });
}

/// The master's program: harmless tasks before, around and behind one deadly task. The seed chooses the place of the deadly task.
struct PoisonJob {
    std::uint64_t seed = 0;
    int slavesAtMost = 3;
    std::size_t blamedCount = 0;    ///< number of slaves that the PoisonTask names

    void run(Master& master) {
        SeededRandom random(seed);
        // Tasks of an unmeasured kind travel alone. Tasks of a measured kind travel together.
        if (random.oneIn(2)) {
            for (const Multiplied& reply : master.map(std::vector<Multiply>(20, Multiply(2, 3)))) CHECK(reply.value == 6);
        }
        const auto place = static_cast<int>(random.below(taskCount));
        std::vector<Future<Multiplied>> harmless;
        Future<Multiplied> poison;
        for (int i = 0; i < taskCount; ++i) {
            if (i == place) poison = master.submit(Multiply(deadly, static_cast<int>(random.below(2))), {.slavesAtMost = slavesAtMost});
            harmless.push_back(master.submit(Multiply(i + 1, static_cast<int>(random.below(4)))));
            if (random.oneIn(8)) master.poll();
        }
        try {
            static_cast<void>(poison.get());
            FAIL_CHECK("nobody survives it");
        } catch (const PoisonTask& failure) {
            blamedCount = failure.ranks().size();
        }
        for (int i = 0; i < taskCount; ++i) {
            const long value = harmless[static_cast<std::size_t>(i)].get().value;
            CHECK(value % (i + 1) == 0);
        }
    }
};

void checkOneSchedule(std::uint64_t seed, int groupSize) {
    SeededRandom random(seed ^ 0x9015);
    SimulationOptions options;
    options.seed = seed;
    options.tellsDeathsWithin = random.oneIn(2) ? 100'000us : 100us;
    PoisonJob poisonJob{.seed = seed};
    const JobRun job{
        .define = define, .program = [&poisonJob](Master& master) { poisonJob.run(master); }, .check = nullptr, .groupSize = groupSize};
    const auto result = simulate(9, options, [&job](Connector& connector) { return conductJob(connector, job); });
    REQUIRE_MESSAGE(result.stuckText.empty(), result.describe());
    REQUIRE_MESSAGE(result.values.front() == exitStatus::success, result.describe());
    const auto killed =
        std::count_if(result.ranks.begin(), result.ranks.end(), [](const auto& rank) { return rank.how == detail::RankEnd::Killed; });
    REQUIRE_MESSAGE(killed == poisonJob.slavesAtMost, result.describe());
    REQUIRE(poisonJob.blamedCount == static_cast<std::size_t>(poisonJob.slavesAtMost));
}

}    // namespace poisontasktest

using namespace poisontasktest;

TEST_CASE("Poison under simulation: a task that kills its slaves takes three and no more, and harms no other task") {
    Seeds::forEach(2000, [](std::uint64_t seed) { checkOneSchedule(seed, 0); });
}

TEST_CASE("Poison under simulation: in groups, too, it takes three slaves and no more") {
    Seeds::forEach(1000, [](std::uint64_t seed) { checkOneSchedule(seed, 3); });
}
