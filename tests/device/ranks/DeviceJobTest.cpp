#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/device.hpp>
#include <ferry/ferry.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/tests/device/Failures.hpp>
#include <ferry/tests/framework/TestTasks.hpp>
#include <ferry/tests/support/Ranks.hpp>

// A kernel of a slave fails, and its exception arrives at the master's future.

using namespace ferry;
using namespace ferry::test;

namespace devicejobs {

/// A device with data on it, kept by a slave between its tasks.
struct HostBench {
    static constexpr const char* kind = "host";
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
    static constexpr const char* kind = "OpenCL (";
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

namespace {

/// The devices of the ranks in this process, which outlive the jobs: an assertion ends a job.
template <class Bench>
Bench& benchOfThisRank() {
    static std::mutex& mutex = *new std::mutex;
    static std::map<int, Bench>& benches = *new std::map<int, Bench>;
    const std::lock_guard lock(mutex);
    return benches[detail::rankOfThisThread() >= 0 ? detail::rankOfThisThread() : detail::rankOfProcess()];
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int Jobs = 50;
#else
constexpr int Jobs = 500;    // on each number of ranks; on threads there are two
#endif

}    // namespace

TEST_CASE_TEMPLATE("Device jobs: the assertion of a slave's kernel is thrown from future.get(), in each of many jobs", Bench,
                   FERRY_TEST_BENCHES) {
    const auto define = [](Slave& slave) {
        slave.on<Multiply>([](const Multiply& task) { return Multiplied(benchOfThisRank<Bench>().run(task.left, task.right)); });
    };
    int started = 0;
    std::atomic<int> arrived = 0;
    const auto program = [&](Master& master) {
        const int left = -1 - started++;
        CHECK(master.submit(Multiply(5, 3)).get().value == 15);    // the failures of the jobs before have left the device usable
        Future<Multiplied> reply = master.submit(Multiply(left, 2));
        try {
            static_cast<void>(reply.get());
        } catch (const AssertionFailure& e) {
            const Origin& origin = e.origin();
            arrived += e.values == std::to_string(left) + " > 0" && e.message == "mass 2" && origin.rank > 0 && !origin.host.empty() &&
                       origin.task == "ferry::test::Multiply" && contextOf(origin, "work item") == "2" &&
                       contextOf(origin, "device").find(Bench::kind) == 0 &&
                       contextOf(origin, "kernel launched at").find("DeviceJobTest.cpp:") == 0 &&
                       e.file.find("DeviceJobTest.cpp") != std::string::npos && e.line > 0;
            throw;
        }
    };
    for (int job = 0; job < Jobs; ++job) onUngroupedJobRanks({define, program, [](int status) { CHECK(status == exitStatus::assertion); }});
    CHECK(arrived == started);
}
