// Conversations of handlers with the master, on thousands of schedules.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/framework/simulateJob.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

using namespace ferry;
using namespace ferry::test;

TEST_CASE("Conversation exercise: the master waits in its connector for handlers, and every schedule ends well") {
    Slave slave;
    slave.on<Multiply>([](const Multiply& task, Task& about) {
        about.connector().send(0, task.right);
        return Multiplied(task.right);
    });
    Seeds::forEach(1000, [&](std::uint64_t seed) {
        const auto program = [seed](Master& master) {
            SeededRandom random(seed);
            for (int round = 0; round < 20; ++round) {
                const auto count = 1 + static_cast<int>(random.below(5));
                std::vector<Future<Multiplied>> replies;
                for (int i = 0; i < count; ++i) replies.push_back(master.submit(Multiply(1, i)));
                int sum = 0;
                for (int i = 0; i < count; ++i) sum += master.connector().receive<int>();
                CHECK(sum == count * (count - 1) / 2);
                for (int i = 0; i < count; ++i) CHECK(replies[static_cast<std::size_t>(i)].get().value == i);
            }
        };
        SimulationOptions options;
        options.seed = seed;
        const SimulationOf<int> result = simulateJob(rankCountFor(seed), options, slave, program);
        for (std::size_t rank = 0; rank < result.values.size(); ++rank) CHECK(result.values[rank] == 0);
    });
}
