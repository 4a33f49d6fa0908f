#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/device.hpp>
#include <ferry/ferry.hpp>
#include <ferry/tests/connector/GuardedRegion.hpp>
#include <ferry/tests/device/Failures.hpp>
#include <ferry/tests/support/Sanitizers.hpp>

// Kernels that fail on one of several ranks.

using namespace ferry;
using namespace ferry::test;

TEST_CASE("Device on ranks: the assertion of a kernel arrives on all ranks, again and again") {
    onRanks([](Connector& c) {
        Device device = Device::host({.threads = 2});
        std::vector<int> masses{1, 2, -3, 4};
        auto there = device.copy(masses);
        constexpr int Rounds = isSanitized ? 100 : 1000;
        int arrived = 0;
        for (int round = 0; round < Rounds; ++round) {
            const ExceptionList failures = failuresOf(c, [&] {
                const auto context = ferry::context("round", round);
                if (c.rank() == lastRank(c)) device.run(4, [m = there.get()](std::size_t i) { xassert((*m)[i] > 0, "mass {}", i); });
                c.barrier();
            });
            if (failures.size() != 1) continue;
            const auto* assertion = failures.front().as<AssertionFailure>();
            const Origin& origin = failures.front().origin();
            arrived += assertion != nullptr && assertion->values == "-3 > 0" && assertion->message == "mass 2" &&
                       origin.rank == lastRank(c) && contextOf(origin, "work item") == "2" && contextOf(origin, "device") == "host" &&
                       contextOf(origin, "round") == std::to_string(round) && !contextOf(origin, "kernel launched at").empty();
        }
        CHECK(arrived == Rounds);
        there.fetch();    // the device is usable
        checkUsable(c);
    });
}

TEST_CASE("Device on ranks: the error of a device arrives on all ranks with its problem") {
    onRanks([](Connector& c) {
        const ExceptionList failures = failuresOf(c, [&c] {
            if (c.rank() == lastRank(c)) {
                Device device = Device::host({.threads = 1, .memoryBytes = 4096});
                std::vector<double> large(10'000);
                static_cast<void>(device.copy(large));
            }
            c.barrier();
        });
        REQUIRE(failures.size() == 1);
        const auto* error = failures.front().as<DeviceError>();
        REQUIRE(error != nullptr);
        CHECK(error->problem() == DeviceProblem::OutOfDeviceMemory);
        CHECK(error->device() == "host");
        checkUsable(c);
    });
}
