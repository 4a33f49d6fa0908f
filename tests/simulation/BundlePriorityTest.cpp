// Maps whose tasks travel in bundles, beside tasks of other priorities.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/simulate.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/ferry.hpp>
#include <ferry/tests/simulation/Seeds.hpp>
#include <ferry/tests/support/Ranks.hpp>

using namespace ferry;
using namespace ferry::test;

namespace bundleprioritytest {

using namespace std::chrono_literals;

constexpr int count = 200;

/// A task that takes five milliseconds of simulated time. The reply is the number that the task has in the job.
struct Timed {
    int number = 0;
    using Reply = int;
};

void define(Slave& slave) {
    slave.on<Timed>([](const Timed&, Task& task) {
        detail::Transport& transport = detail::mailboxOf(task.connector()).transport();
        const auto end = transport.now() + 5ms;
        while (transport.now() < end) {
            task.connector().poll();
            transport.idle(std::chrono::ceil<std::chrono::microseconds>(end - transport.now()));
        }
        return task.number();
    });
}

std::vector<Timed> timed() {
    std::vector<Timed> tasks;
    for (int i = 0; i < count; ++i) tasks.push_back({i});
    return tasks;
}

/// Submits tasks of a low priority, and then does a map. Returns the number of low tasks that were done before the map was.
std::size_t doneBefore(Master& master, int priorityOfMap) {
    for (const int number : master.map(timed())) CHECK(number >= 0);    // the class is measured
    std::vector<Future<int>> low;
    for (const Timed& task : timed()) low.push_back(master.submit(task));
    int highest = 0, replies = 0;
    for (const int number : master.map(timed(), MapOrder::Completion, {.priority = priorityOfMap})) {
        highest = std::max(highest, number);
        ++replies;
    }
    CHECK(replies == count);
    CHECK(highest > 3 * 2 * count);    // the map travels in bundles, which take 64 numbers each
    std::size_t ready = 0;
    for (Future<int>& future : low) ready += future.ready() ? 1 : 0;
    for (Future<int>& future : low) CHECK(future.get() > 0);
    return ready;
}

void checkInSimulation(std::uint64_t seed, const std::function<void(Master&)>& program) {
    SimulationOptions options;
    options.seed = seed;
    const JobRun job{.define = define, .program = program, .check = nullptr, .groupSize = 3};
    const auto result = simulate(9, options, [&job](Connector& connector) { return conductJob(connector, job); });
    REQUIRE_MESSAGE(result.haveAllReturned(), result.describe());
    for (const auto& status : result.values) REQUIRE(status == 0);
}

}    // namespace bundleprioritytest

using namespace bundleprioritytest;

TEST_CASE("Bundles under simulation: a map of a higher priority overtakes the tasks before it") {
    Seeds::forEach(5, [](std::uint64_t seed) {
        checkInSimulation(seed, [](Master& master) {
            CHECK(doneBefore(master, 1) < count / 4);    // the tasks that the slaves had already
        });
    });
}

TEST_CASE("Bundles under simulation: a map of a lower priority waits for the tasks before it") {
    Seeds::forEach(5, [](std::uint64_t seed) { checkInSimulation(seed, [](Master& master) { CHECK(doneBefore(master, -1) == count); }); });
}
