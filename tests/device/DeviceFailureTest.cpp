#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <pthread.h>
#include <sys/mman.h>

#include <ferry/device.hpp>
#include <ferry/objects.hpp>
#include <ferry/tests/device/Failures.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

// Kernels that fail, and devices that cannot do what is asked.

using namespace ferry::test;

namespace {

/// While the object lives, the system starts no thread: a new thread asks for a stack as large as all addresses.
class NoThreadLeft {
public:
    NoThreadLeft() {
        pthread_getattr_default_np(&before_);
        pthread_attr_t large;
        pthread_attr_init(&large);
        pthread_attr_setstacksize(&large, std::size_t{1} << 47);
        pthread_setattr_default_np(&large);
        pthread_attr_destroy(&large);
    }
    NoThreadLeft(const NoThreadLeft&) = delete;
    NoThreadLeft& operator=(const NoThreadLeft&) = delete;
    ~NoThreadLeft() {
        pthread_setattr_default_np(&before_);
        pthread_attr_destroy(&before_);
    }

private:
    pthread_attr_t before_;
};

}    // namespace

TEST_CASE("Device failures: memory that the system does not allow to kernels is told, and no kernel runs") {
    ferry::Device device = ferry::Device::host({.threads = 1});
    std::vector<double> numbers(512, 1);
    auto there = device.copyArray(numbers.data(), numbers.size());
    void* page = there.get();
    constexpr std::size_t PageBytes = 4096;
    REQUIRE(::munmap(page, PageBytes) == 0);
    bool hasRun = false;
    for (int round = 0; round < 2; ++round) {
        try {
            device.run(1, [&hasRun](std::size_t) { hasRun = true; });
            FAIL("a kernel got no memory");
        } catch (const ferry::DeviceError& e) {
            CHECK(e.problem() == ferry::DeviceProblem::OutOfDeviceMemory);
            CHECK(std::string(e.what()).find("of 1 copies failed") != std::string::npos);
        }
    }
    CHECK(!hasRun);
    // Nobody else may get the address.
    REQUIRE(::mmap(page, PageBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == page);
}

TEST_CASE("Device failures: an xassert in a kernel arrives with its values, its place, the launch and the work item") {
    ferry::Device device = ferry::Device::host();
    std::vector<double> masses(1000, 1);
    masses[700] = -2;
    masses[900] = -3;
    auto there = device.copy(masses);
    for (int round = 0; round < 1000; ++round) {
        int launchLine = 0;
        bool isThrown = false;
        try {
            launchLine = __LINE__ + 1;
            device.run(1000, [m = there.get()](std::size_t i) { xassert((*m)[i] > 0, "mass {}", i); });
        } catch (const ferry::AssertionFailure& e) {
            isThrown = true;
            REQUIRE(e.values == "-2 > 0");
            REQUIRE(e.message == "mass 700");
            REQUIRE(e.file.find("DeviceFailureTest.cpp") != std::string::npos);
            REQUIRE(e.line == launchLine);
            REQUIRE(contextOf(e, "device") == "host");
            REQUIRE(contextOf(e, "work item") == "700");
            REQUIRE(contextOf(e, "kernel launched at") == "DeviceFailureTest.cpp:" + std::to_string(launchLine));
        }
        REQUIRE(isThrown);
    }
    // The device stays usable.
    std::atomic<int> count = 0;
    device.run(1000, [&](std::size_t) { ++count; });
    CHECK(count == 1000);
}

TEST_CASE("Device failures: another exception in a kernel is the cause of a DeviceError") {
    ferry::Device device = ferry::Device::host();
    try {
        device.run(10, [](std::size_t i) {
            if (i == 3) throw std::runtime_error("no convergence");
        });
        FAIL("no exception");
    } catch (const ferry::DeviceError& e) {
        CHECK(e.problem() == ferry::DeviceProblem::KernelFault);
        const std::string text = e.what();
        CHECK(text.find("work item 3: no convergence") != std::string::npos);
        CHECK(text.find("DeviceFailureTest.cpp:") != std::string::npos);
        CHECK(e.cause() != nullptr);
        CHECK_THROWS_WITH_AS(std::rethrow_exception(e.cause()), "no convergence", std::runtime_error);
    }
}

TEST_CASE("Device failures: every item runs once, whatever the number of threads") {
    for (const std::size_t threads : {1, 2, 3, 8}) {
        ferry::Device device = ferry::Device::host({.threads = threads});
        for (const std::size_t count : {0, 1, 2, 7, 1000}) {
            std::vector<std::atomic<int>> runs(count);
            device.run(count, [&](std::size_t i) { ++runs[i]; });
            CHECK(std::all_of(runs.begin(), runs.end(), [](const auto& number) { return number == 1; }));
        }
    }
}

TEST_CASE("Device failures: a copy that is larger than the device's memory is refused, and the device stays usable") {
    ferry::Device device = ferry::Device::host({.threads = 1, .memoryBytes = 1 << 20});
    std::vector<double> large(1 << 20);
    std::vector<double> small(100, 1);
    try {
        static_cast<void>(device.copy(large));
        FAIL("no exception");
    } catch (const ferry::DeviceError& e) {
        CHECK(e.problem() == ferry::DeviceProblem::OutOfDeviceMemory);
        CHECK(std::string(e.what()).find("1048576 of 1048576 are free") != std::string::npos);
    }
    for (int i = 0; i < 3; ++i) {
        auto there = device.copy(small);
        there.fetch();
    }
    auto growing = device.copy(small);
    small.resize(1 << 20);
    CHECK(problemOf([&] { growing.update(); }) == ferry::DeviceProblem::OutOfDeviceMemory);
    CHECK_THROWS_AS(growing.fetch(), ferry::UsageError);
    CHECK(small[0] == 1);
    std::vector<double> half(1 << 16);
    auto one = device.copy(half);
    CHECK(problemOf([&] { static_cast<void>(device.copy(half)); }) == ferry::DeviceProblem::OutOfDeviceMemory);
    one.fetch();
}

TEST_CASE("DeviceError: it names the device and the problem, and its data travels") {
    const ferry::DeviceError error(ferry::DeviceProblem::StrayPointer, "host", "text");
    CHECK(std::string(error.what()) == "device host: text");
    CHECK(error.kind() == ferry::ErrorKind::Bug);
    CHECK(ferry::DeviceError(ferry::DeviceProblem::NoDevice, "CUDA", "text").kind() == ferry::ErrorKind::Unsupported);
    const ferry::test::Ints golden{4, 4, 0x74736f68};
    CHECK(ferry::test::intsOf(error) == golden);
    const auto again = ferry::test::valueOf<ferry::DeviceError>(golden);
    CHECK(again.problem() == ferry::DeviceProblem::StrayPointer);
    CHECK(again.device() == "host");
    ferry::test::checkTruncated<ferry::DeviceError>(golden);
    CHECK(ferry::test::errorOf<ferry::DeviceError>({7, 0}) ==
          "int 0 in ferry::DeviceError: expected a problem of a device (0 to 6), found 7");
}

TEST_CASE("Device failures: a device that is not there is named, and any() is the host then") {
    CHECK(problemOf([] { static_cast<void>(ferry::Device::cuda()); }) == ferry::DeviceProblem::NoDevice);
    CHECK(ferry::Device::any().name() == "host");
}

TEST_CASE("Device failures: when the system has no thread left, the thread of the caller runs all items") {
    ferry::Device device = ferry::Device::host({.threads = 4});
    std::vector<int> numbers(1000, 1);
    auto there = device.copy(numbers);
    {
        const NoThreadLeft none;
        CHECK_THROWS_AS(std::thread([] {}).join(), std::system_error);
        const std::thread::id caller = std::this_thread::get_id();
        std::atomic<int> others = 0;
        device.run(1000, [&, n = there.get()](std::size_t i) {
            (*n)[i] += 1;
            if (std::this_thread::get_id() != caller) ++others;
        });
        CHECK(others == 0);
        device.launch(
            {1000}, [](std::size_t i, std::vector<int>* n) { xassert(i != 700 || (*n)[i] == 0); }, there);
        CHECK_THROWS_AS(device.wait(), ferry::AssertionFailure);
    }
    device.run(1000, [n = there.get()](std::size_t i) { (*n)[i] += 1; });    // with threads
    there.fetch();
    CHECK(std::all_of(numbers.begin(), numbers.end(), [](int number) { return number == 3; }));
}
