// Tasks that are plain structs, on many schedules.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/framework/simulateJob.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

using namespace ferry;
using namespace ferry::test;

namespace plaintasksimulationtest {

struct Repeat {
    std::string text{};
    int times = 0;
    using Reply = std::string;
};

}    // namespace plaintasksimulationtest

using plaintasksimulationtest::Repeat;

TEST_CASE("Plain task exercise: structs and messages mixed have their own replies on every schedule") {
    Slave slave;
    slave.on<Repeat>([](const Repeat& task) {
        if (task.times < 0) throw Refused(task.times);
        std::string text;
        for (int i = 0; i < task.times; ++i) text += task.text;
        return text;
    });
    slave.on<Multiply>([](const Multiply& task) { return Multiplied(static_cast<long>(task.left) * task.right); });
    Seeds::forEach(1000, [&](std::uint64_t seed) {
        const auto program = [seed](Master& master) {
            SeededRandom random(seed);
            std::vector<Future<std::string>> texts;
            std::vector<Future<Multiplied>> products;
            for (int i = 0; i < 20; ++i) {
                texts.push_back(master.submit(Repeat{"ab", i % 7 - 1}));
                if (random.below(2) == 0) products.push_back(master.submit(Multiply(static_cast<int>(products.size()), 2)));
            }
            for (std::size_t i = 0; i < texts.size(); ++i) {
                if (i % 7 == 0) {
                    CHECK_THROWS_AS(static_cast<void>(texts[i].get()), Refused);
                } else {
                    CHECK(texts[i].get().size() == 2 * (i % 7 - 1));
                }
            }
            for (std::size_t i = 0; i < products.size(); ++i) CHECK(products[i].get().value == static_cast<long>(2 * i));
        };
        SimulationOptions options;
        options.seed = seed;
        const SimulationOf<int> result = simulateJob(rankCountFor(seed), options, slave, program);
        for (std::size_t rank = 0; rank < result.values.size(); ++rank) CHECK(result.values[rank] == 0);
    });
}
