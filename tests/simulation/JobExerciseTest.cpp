#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/master/Master.hpp>
#include <ferry/framework/slave/Slave.hpp>
#include <ferry/serialization/exception/xassert.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/simulation/JobExercise.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

using namespace ferry;
using namespace ferry::test;

namespace jobexercisetest {

SimulationOptions seeded(std::uint64_t seed, std::vector<Fault> faults = {}) {
    SimulationOptions options;
    options.seed = seed;
    options.faults = std::move(faults);
    return options;
}

/// A job that dismisses all slaves in its middle, and waits until they have left.
class JobThatDismisses {
public:
    JobRun run() {
        JobRun job = jobExercise();
        job.define = [this](Slave& slave) { define(slave); };
        job.program = [this](Master& master) { work(master); };
        return job;
    }

private:
    /// An object that lives as long as the loop of its slave.
    class Presence {
    public:
        explicit Presence(int& count) : count_(count) { ++count_; }
        Presence(const Presence&) = delete;
        Presence& operator=(const Presence&) = delete;
        ~Presence() { --count_; }

    private:
        int& count_;
    };

    void define(Slave& slave) {
        slave.setUp([this](Connector&) { return std::make_shared<Presence>(presentCount_); });
        slave.on<Multiply>([](const Multiply& task) { return Multiplied(static_cast<long>(task.left) * task.right); });
    }

    void work(Master& master) {
        std::vector<Multiply> tasks(static_cast<std::size_t>(3 * master.slaveCount()), Multiply(2, 3));
        for (const Multiplied& product : master.map(std::move(tasks))) xassert(product.value == 6);
        const int count = master.slaveCount();
        xassert(master.dismissSlaves(count) == count);
        for (int pollCount = 0; presentCount_ > 0; ++pollCount) {
            xassert(pollCount < 1'000'000);
            master.poll();
        }
    }

    int presentCount_ = 0;    ///< number of slaves in their loops; the ranks of a simulation run one at a time
};

}    // namespace jobexercisetest

using namespace jobexercisetest;

TEST_CASE("Job under simulation: every reply and every exception of a handler arrives in the job exercise, and all ranks end well") {
    Seeds::forEach(300, [](std::uint64_t seed) {
        const int rankCount = rankCountFor(seed);
        const auto result = simulateJob(rankCount, seeded(seed), jobExercise());
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
        REQUIRE(result.values == std::vector<std::optional<int>>(static_cast<std::size_t>(rankCount), exitStatus::success));
    });
}

TEST_CASE("Job under simulation: the same by sub-masters") {
    Seeds::forEach(300, [](std::uint64_t seed) {
        const int rankCount = 4 + static_cast<int>(seed % 7);
        JobRun job = jobExercise();
        job.groupSize = 2 + static_cast<int>(seed / 7 % 3);
        const auto result = simulateJob(rankCount, seeded(seed), job);
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
        REQUIRE(result.values == std::vector<std::optional<int>>(static_cast<std::size_t>(rankCount), exitStatus::success));
    });
}

TEST_CASE("Job under simulation: slaves that are dismissed leave while the job goes on") {
    Seeds::forEach(300, [](std::uint64_t seed) {
        const int rankCount = rankCountFor(seed);
        JobThatDismisses job;
        const auto result = simulateJob(rankCount, seeded(seed), job.run());
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
        REQUIRE(result.values == std::vector<std::optional<int>>(static_cast<std::size_t>(rankCount), exitStatus::success));
    });
}

TEST_CASE("Job under simulation: the same seed has the same trace, byte for byte") {
    Seeds::forEach(30, [](std::uint64_t seed) {
        const auto first = simulateJob(rankCountFor(seed), seeded(seed), jobExercise());
        const auto second = simulateJob(rankCountFor(seed), seeded(seed), jobExercise());
        REQUIRE(first.trace.size() > 50);
        REQUIRE(first.trace.text() == second.trace.text());
    });
}

TEST_CASE("Job under simulation: an xassert of a handler ends every rank with its status") {
    Seeds::forEach(3, [](std::uint64_t seed) {
        const int rankCount = rankCountFor(seed);
        const auto result = simulateJob(rankCount, seeded(seed), jobThatFails());
        REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
        REQUIRE(result.values == std::vector<std::optional<int>>(static_cast<std::size_t>(rankCount), exitStatus::assertion));
    });
}

TEST_CASE("Job under simulation: a slave that dies is not waited for beyond the grace time once the job has failed") {
    int forcedCount = 0;
    Seeds::forEach(3, [&forcedCount](std::uint64_t seed) {
        const auto result = simulateJob(4, seeded(seed, {{3, 2, Fault::Kind::Kill}}), jobThatFails());
        REQUIRE(result.ranks[3].how == detail::RankEnd::Killed);
        if (!result.abortStatus) return;    // the failing task was on the killed slave too
        ++forcedCount;
        REQUIRE(result.abortStatus == exitStatus::assertion);
        for (std::size_t rank = 0; rank < 3; ++rank) REQUIRE(result.ranks[rank].how == detail::RankEnd::Aborted);
        REQUIRE(result.time >= std::chrono::seconds(2));
        REQUIRE(result.time < std::chrono::seconds(60));
    });
    if (Seeds::areMany()) CHECK(forcedCount > 0);
}

TEST_CASE("Job under simulation: when a slave dies in the middle of a job, the simulation names it") {
    int stuckCount = 0;
    Seeds::forEach(50, [&stuckCount](std::uint64_t seed) {
        const auto result = simulateJob(3, seeded(seed, {{2, 1 + seed % 50, Fault::Kind::Kill}}), jobExercise());
        if (result.stuckText.empty()) return;
        ++stuckCount;
        REQUIRE_MESSAGE(result.stuckText.find("rank 2 was killed") != std::string::npos, result.describe());
    });
    if (Seeds::areMany()) CHECK(stuckCount > 0);
}
