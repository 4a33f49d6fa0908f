#include <ferry/tests/simulation/LossExercise.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/exception/NoSlavesLeft.hpp>
#include <ferry/framework/master/Master.hpp>
#include <ferry/framework/schedule/SlaveGroups.hpp>
#include <ferry/framework/slave/Slave.hpp>
#include <ferry/serialization/exception/xassert.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>

namespace ferry::test {

namespace lossexercise {

constexpr int refused = 13;
constexpr int outOfRange = 16;
constexpr int taskCount = 20;
// Losses are random here. So no task may be blamed for a loss.
const TaskOptions patient{.slavesAtMost = 1000};

void define(Slave& slave) {
    slave.on<Multiply>([](const Multiply& request, Task& task) {
        task.connector().poll();
        if (request.left == refused) throw Refused(request.right);
        if (request.left == outOfRange) throw std::out_of_range("16 is out of range");
        return Multiplied(static_cast<long>(request.left) * request.right + task.shared<Table>().rows.at(0));
    });
}

/// Whether get() of the reply throws an E. A NoSlavesLeft passes through.
template <class E>
bool isAnsweredBy(Future<Multiplied>& future) {
    try {
        static_cast<void>(future.get());
        return false;
    } catch (const E&) {
        return true;
    }
}

/// A table that is large enough for the tree. Slaves of the tree may be lost before they have passed it on.
Table largeTable(int value) { return Table{std::vector<int>(5000, value)}; }

/// shared: the value in the shared table.
void checkMap(Master& master, MapOrder order, int shared) {
    std::vector<Multiply> tasks;
    for (int i = 0; i < taskCount; ++i) tasks.emplace_back(100 + i, 2);
    std::vector<bool> isDone(taskCount, false);
    std::size_t count = 0;
    for (const Multiplied& product : master.map(std::move(tasks), order, patient)) {
        const auto number = static_cast<std::size_t>((product.value - shared) / 2 - 100);
        xassert((product.value - shared) % 2 == 0);
        xassert(!isDone.at(number));
        isDone.at(number) = true;
        if (order == MapOrder::Submission) xassert(number == count);
        ++count;
    }
    xassert(count == isDone.size());
}

void work(Master& master) {
    master.share(largeTable(5));
    auto failing = master.submit(Multiply(refused, 3), patient);
    TaskOptions again = patient;
    again.retry = RetryOn<std::out_of_range>{.times = 2};
    auto retried = master.submit(Multiply(outOfRange, 3), again);
    checkMap(master, MapOrder::Submission, 5);
    auto product = master.submit(Multiply(6, 7), patient);
    xassert(isAnsweredBy<Refused>(failing));
    checkMap(master, MapOrder::Completion, 5);
    xassert(product.get().value == 47);
    xassert(isAnsweredBy<std::out_of_range>(retried));
    master.share(largeTable(8));    // no task is open
    checkMap(master, MapOrder::Completion, 8);
    if (master.slaveCount() > 1) static_cast<void>(master.dismissSlaves(1));
    master.share(largeTable(9));
    checkMap(master, MapOrder::Submission, 9);
}

}    // namespace lossexercise

JobRun lossJob(int groupSize) {
    return {.define = lossexercise::define, .program = lossexercise::work, .check = nullptr, .groupSize = groupSize};
}

SimulationOf<int> lossExercise(int rankCount, const SimulationOptions& options, int groupSize) {
    const JobRun job = lossJob(groupSize);
    return simulate(rankCount, options, [&job](Connector& connector) { return conductJob(connector, job); });
}

SimulationOptions lossOptions(std::uint64_t seed, int rankCount) {
    constexpr std::uint64_t apartFromTheNetwork = 0x1055;
    SeededRandom random(seed ^ apartFromTheNetwork);
    SimulationOptions options;
    options.seed = seed;
    options.tellsDeathsWithin = std::chrono::microseconds(random.oneIn(2) ? 1'000'000 : 1000);
    std::vector<int> slaves;
    for (int rank = 1; rank < rankCount; ++rank) slaves.push_back(rank);
    const std::size_t lostCount = 1 + random.below(slaves.size());
    for (std::size_t i = 0; i < lostCount; ++i) {
        std::swap(slaves[i], slaves[i + random.below(slaves.size() - i)]);
        const Fault::Kind kind = random.oneIn(4) ? Fault::Kind::Silence : Fault::Kind::Kill;
        options.faults.push_back({slaves[i], 1 + random.below(random.oneIn(2) ? 60 : 600), kind});
    }
    return options;
}

bool hasEndedWell(const SimulationOf<int>& result, int groupSize) {
    if (!result.stuckText.empty() || result.abortStatus) return false;
    const int otherRanks = static_cast<int>(result.ranks.size()) - 1;
    const detail::SlaveGroups groups = groupSize == 0 ? detail::SlaveGroups() : detail::SlaveGroups(otherRanks, groupSize);
    int slavesThatReturned = 0;
    for (std::size_t rank = 0; rank < result.ranks.size(); ++rank) {
        const detail::RankEnd how = result.ranks[rank].how;
        if (how == detail::RankEnd::Killed && rank != 0) continue;
        if (how != detail::RankEnd::Returned) return false;
        slavesThatReturned += rank != 0 && !groups.isSubMaster(static_cast<int>(rank)) ? 1 : 0;
    }
    const int status = result.values.front().value_or(-1);
    for (const std::optional<int>& value : result.values) {
        if (value && *value != status) return false;
    }
    // One slave was dismissed at the end.
    return status == exitStatus::success || (slavesThatReturned <= 1 && status == exitStatus::lostRank);
}

}    // namespace ferry::test
