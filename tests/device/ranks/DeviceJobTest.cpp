#include <map>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/device.hpp>
#include <ferry/ferry.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>

// A kernel of a slave fails, and its exception arrives at the master's future.

using namespace ferry;
using namespace ferry::test;

namespace devicejobs {

std::string contextOf(const Origin& origin, const std::string& key) {
    for (const auto& entry : origin.context) {
        if (entry.key == key) return entry.value;
    }
    return "";
}

/// A device with data on it, kept by a slave between its tasks.
struct HostBench {
    Device device = Device::host({.threads = 2});
    std::vector<int> masses{1, 2, 3, 4};

    int run(int left, int right) {
        masses[2] = left;
        auto there = device.copy(masses);
        device.run(4, [m = there.get(), right](std::size_t i) {
            xassert((*m)[i] > 0, "mass {}", i);
            (*m)[i] *= right;
        });
        there.fetch();
        const int product = masses[2];
        masses = {1, 2, 3, 4};
        return product;
    }
};

#ifdef FERRY_TEST_OPENCL
struct OpenClBench {
    Device device = Device::openCl();
    DeviceProgram program = device.program<std::vector<int>>(R"(
        kernel void multiply(global vector_int* m, int right) {
            size_t i = get_global_id(0);
            xassert(m->data[i] > 0, "mass {}", i);
            m->data[i] *= right;
        })");
    std::vector<int> masses{1, 2, 3, 4};

    int run(int left, int right) {
        masses[2] = left;
        auto there = device.copy(masses);
        program.launch("multiply", {4}, there, right);
        there.fetch();
        const int product = masses[2];
        masses = {1, 2, 3, 4};
        return product;
    }
};
#define FERRY_TEST_BENCHES HostBench, OpenClBench
#else
#define FERRY_TEST_BENCHES HostBench
#endif

}    // namespace devicejobs

using namespace devicejobs;

TEST_CASE_TEMPLATE("Device jobs: the assertion of a slave's kernel is thrown from future.get(), again and again", Bench,
                   FERRY_TEST_BENCHES) {
    runJob(
        [](Slave& slave) {
            const auto bench = std::make_shared<std::map<int, Bench>>();    // made by the first task
            slave.on<Multiply>([bench](const Multiply& task) { return Multiplied((*bench)[0].run(task.left, task.right)); });
        },
        [](Master& master) {
            int arrived = 0;
            constexpr int Rounds = 1000;
            std::vector<Future<Multiplied>> replies;
            for (int round = 0; round < Rounds; ++round) replies.push_back(master.submit(Multiply(-1 - round, 2)));
            for (int round = 0; round < Rounds; ++round) {
                try {
                    static_cast<void>(replies[static_cast<std::size_t>(round)].get());
                } catch (const AssertionFailure& e) {
                    const Origin& origin = e.origin();
                    arrived += e.values == std::to_string(-1 - round) + " > 0" && e.message == "mass 2" && origin.rank > 0 &&
                               !origin.host.empty() && origin.task == "ferry::test::Multiply" && contextOf(origin, "work item") == "2" &&
                               !contextOf(origin, "device").empty() &&
                               contextOf(origin, "kernel launched at").find("DeviceJobTest.cpp:") == 0 &&
                               e.file.find("DeviceJobTest.cpp") != std::string::npos && e.line > 0;
                }
            }
            CHECK(arrived == Rounds);
            for (int i = 1; i < 50; ++i) CHECK(master.submit(Multiply(i, 3)).get().value == 3 * i);    // devices are usable
        });
}
