#include <ferry/tests/simulation/JobExercise.hpp>

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include <ferry/framework/master/Master.hpp>
#include <ferry/framework/slave/Slave.hpp>
#include <ferry/serialization/exception/xassert.hpp>
#include <ferry/tests/framework/TestTasks.hpp>

namespace ferry::test {

namespace {

constexpr int refused = 13;
constexpr int outOfRange = 14;
constexpr int failing = 15;
constexpr int taskCount = 20;

void define(Slave& slave) {
    slave.on<Multiply>([](const Multiply& request, Task& task) {
        task.connector().poll();
        if (request.left == refused) throw Refused(request.right);
        if (request.left == outOfRange) throw std::out_of_range("14 is out of range");
        xassert(request.left != failing);
        return Multiplied(static_cast<long>(request.left) * request.right + task.shared<Table>().rows.at(0));
    });
}

/// Whether get() of the reply throws an E.
template <class E>
bool failsWith(Future<Multiplied>& future) {
    try {
        static_cast<void>(future.get());
        return false;
    } catch (const E&) {
        return true;
    }
}

void checkMap(Master& master, MapOrder order) {
    std::vector<Multiply> tasks;
    for (int i = 0; i < taskCount; ++i) tasks.emplace_back(100 + i, 2);
    std::vector<bool> isDone(taskCount, false);
    std::size_t count = 0;
    for (const Multiplied& product : master.map(std::move(tasks), order)) {
        const auto number = static_cast<std::size_t>((product.value - 5) / 2 - 100);
        xassert(!isDone.at(number));
        isDone.at(number) = true;
        if (order == MapOrder::Submission) xassert(number == count);
        ++count;
    }
    xassert(count == isDone.size());
}

void work(Master& master) {
    master.share(Table{{5}});
    auto first = master.submit(Multiply(refused, 3));
    auto second = master.submit(Multiply(outOfRange, 3));
    checkMap(master, MapOrder::Submission);
    auto third = master.submit(Multiply(6, 7));
    xassert(failsWith<Refused>(first));
    checkMap(master, MapOrder::Completion);
    xassert(failsWith<std::out_of_range>(second));
    xassert(third.get().value == 47);
}

}    // namespace

JobRun jobExercise() { return {define, work, nullptr}; }

JobRun jobThatFails() {
    return {define,
            [](Master& master) {
                master.share(Table{{5}});
                auto failure = master.submit(Multiply(failing, 1));
                checkMap(master, MapOrder::Completion);
                static_cast<void>(failure.get());
            },
            nullptr};
}

SimulationOf<int> simulateJob(int rankCount, const SimulationOptions& options, const JobRun& job) {
    return simulate(rankCount, options, [&job](Connector& connector) { return conductJob(connector, job); });
}

}    // namespace ferry::test
