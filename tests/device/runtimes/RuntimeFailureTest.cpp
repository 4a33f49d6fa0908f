#include <stdexcept>
#include <string>
#include <vector>

#include <ferry/serialization/exception/xassert.hpp>
#include <ferry/tests/device/Failures.hpp>
#include <ferry/tests/device/runtimes/Runners.hpp>

// Kernels that fail, on each runtime.

namespace runtimefailures {

using vector_double = std::vector<double>;    // as kernels call it
using Masses = vector_double;
FERRY_TEST_KERNEL(checkMasses, vector_double, xassert(DATA (*it)[i] > 0, "mass {}", i); DATA(*it)[i] *= 2;)

struct Counters {
    int limit = 0;
    unsigned long long large = 0;
    std::vector<int> counts;
    FERRY_FIELDS(limit, large, counts)
};
FERRY_TEST_KERNEL(checkCounts, Counters, if (i == 0) xassert(DATA(it->counts)[0] <= it->limit); if (i == 1) xassert(it->large == 7);
                  if (i == 2) xassert(it->limit == 3 && DATA(it->counts)[1] < 0);)

}    // namespace runtimefailures

using namespace runtimefailures;
using namespace ferry::test;

TEST_CASE_TEMPLATE("Device runtimes: an xassert in a kernel arrives with values, place, launch and work item, again and again", Runner,
                   FERRY_TEST_RUNNERS) {
    Runner on;
    Masses masses(1000, 1);
    masses[700] = -2;
    masses[900] = -3;
    auto there = on.device.copy(masses);
    int arrived = 0;
    for (int round = 0; round < 1000; ++round) {
        try {
            on.template run<checkMasses>(there, 1000);
            on.device.wait();
        } catch (const ferry::AssertionFailure& e) {
            const bool isRight = e.values == "-2 > 0" && e.message == "mass 700" &&
                                 e.expression.find("(*it)[i] > 0") != std::string::npos && contextOf(e, "work item") == "700" &&
                                 contextOf(e, "device") == on.device.name() && contextOf(e, "kernel launched at").find("Runners.hpp:") == 0;
            if (isRight) ++arrived;
        }
    }
    CHECK(arrived == 1000);
    // The device stays usable, and the failed items have changed nothing.
    masses.assign(1000, 1);
    there.update();
    on.template run<checkMasses>(there, 1000);
    there.fetch();
    CHECK(masses[700] == 2);
    CHECK(masses[999] == 2);
}

TEST_CASE_TEMPLATE("Device runtimes: assertions of whole numbers, and of conditions that are no comparison", Runner, FERRY_TEST_RUNNERS) {
    const auto failureOfItem = [](int first, unsigned long long large) {
        Runner on;
        Counters counters{3, large, {first, 1}};
        auto there = on.device.copy(counters);
        try {
            on.template run<checkCounts>(there, 3);
            on.device.wait();
        } catch (const ferry::AssertionFailure& e) {
            return e;
        }
        return ferry::AssertionFailure();
    };
    CHECK(failureOfItem(4, 7).values == "4 <= 3");
    CHECK(failureOfItem(2, 18'000'000'000'000'000'000u).values == "18000000000000000000 == 7");
    const ferry::AssertionFailure both = failureOfItem(2, 7);
    CHECK(both.expression.find("it->limit == 3 && DATA") == 0);
    CHECK(both.message.empty());
}

#ifdef FERRY_TEST_OPENCL

// The line of the text's first character is the line of program().

TEST_CASE("Device OpenCL: a failure names file and line of the assertion, the kernel, and the line of the launch") {
    ferry::Device device = ferry::Device::openCl();
    const int begin = __LINE__ + 1;
    auto program = device.program<Masses>(R"(
        // xassert(0 > 1) in a comment is none
        kernel void check(global vector_double* masses, int expected, const float scale) {
            size_t i = get_global_id(0);
            const char brace = '{';
            xassert((int)i !=
                    expected,
                    "item {} of {}, scaled by {}, \"{}\"", i, expected, scale, (int)brace);
            masses->data[i] += 1;
        }
    )");
    Masses masses(100, 1);
    auto there = device.copy(masses);
    const int launched = __LINE__ + 1;
    program.launch("check", {100}, there, 42, 1.5f);
    program.launch("check", {100}, there, 43, 1.5f);
    try {
        there.fetch();
        FAIL("no exception");
    } catch (const ferry::AssertionFailure& e) {
        CHECK(e.file.find("RuntimeFailureTest.cpp") != std::string::npos);
        CHECK(e.line == begin + 5);
        CHECK(e.values == "42 != 42");
        CHECK(e.message == "item 42 of 42, scaled by 1.5, \"123\"");
        CHECK(contextOf(e, "kernel") == "check");
        CHECK(contextOf(e, "work item") == "42");
        CHECK(contextOf(e, "kernel launched at") == "RuntimeFailureTest.cpp:" + std::to_string(launched));
    }
    // Both launches ran, each without its failed item. Nothing of them is left.
    there.fetch();
    CHECK(masses[41] == 3);
    CHECK(masses[42] == 2);
    CHECK(masses[43] == 2);
}

TEST_CASE("Device OpenCL: more failures than are kept arrive as one") {
    ferry::Device device = ferry::Device::openCl();
    auto program = device.program<Masses>("kernel void fail(global vector_double* m) { xassert(m->data[get_global_id(0)] > 1.0); }");
    Masses masses(100'000, 0.5);
    auto there = device.copy(masses);
    for (int round = 0; round < 100; ++round) {
        program.launch("fail", {masses.size()}, there);
        CHECK_THROWS_AS(device.wait(), ferry::AssertionFailure);
        CHECK_NOTHROW(device.wait());
    }
}

TEST_CASE("Device OpenCL: mistakes of a text are told") {
    ferry::Device device = ferry::Device::openCl();
    CHECK(errorOf([&] { static_cast<void>(device.program<>("kernel void broken() { nonsense; }")); }).find("do not compile: ") !=
          std::string::npos);
    CHECK(errorOf([&] {
              static_cast<void>(device.program<>("double half_of(double x) { xassert(x > 0); return x / 2; }\nkernel void k() {}"));
          }).find("stands in a function that is no kernel") != std::string::npos);
    CHECK(errorOf([&] { static_cast<void>(device.program<>("kernel void k() { xassert(1 > 0")); }).find("has no closing parenthesis") !=
          std::string::npos);
    CHECK(errorOf([&] {
              static_cast<void>(device.program<>("kernel void k(int x) { xassert(x > 0, x); }"));
          }).find("has a message that is no text in quotes") != std::string::npos);
    CHECK(errorOf([&] {
              static_cast<void>(device.program<>("kernel void k(int x) { xassert(x > 0, \"{}\", x, x, x, x, x); }"));
          }).find("has more than four values") != std::string::npos);
}

TEST_CASE("Device OpenCL: arguments that do not fit a kernel are refused, and the device stays usable") {
    ferry::Device device = ferry::Device::openCl();
    auto program = device.program<Masses>(
        "kernel void add(global vector_double* m, float x) { m->data[get_global_id(0)] += x; }\n"
        "kernel void nothing(void) {}");
    Masses masses(10, 1);
    auto there = device.copy(masses);
    CHECK(errorOf([&] { program.launch("ad", {10}, there, 1.0f); }).find("has no kernel ad: its kernels are ") != std::string::npos);
    CHECK(errorOf([&] { program.launch("add", {10}, there); }) == "the kernel add has 2 parameters, and gets 1 arguments");
    CHECK(errorOf([&] { program.launch("add", {10}, there, 1.0); }) ==
          "parameter 2 of the kernel add has the type float, which has not the 8 bytes of the argument");
    CHECK(errorOf([&] { program.launch("add", {10}, 1.0f, 1.0f); }) ==
          "parameter 1 of the kernel add has the type vector_double*, and gets a value");
    CHECK(errorOf([&] { program.launch("add", {10}, there, there); }) ==
          "parameter 2 of the kernel add has the type float, and gets an address");
    CHECK(problemOf([&] { program.launch("add", {10}, &masses, 1.0f); }) == ferry::DeviceProblem::NotCopied);
    ferry::Device other = ferry::Device::openCl();
    auto elsewhere = other.copy(masses);
    CHECK(problemOf([&] { program.launch("add", {10}, elsewhere, 1.0f); }) == ferry::DeviceProblem::NotCopied);
    CHECK(errorOf([&] { program.launch("add", {10, 3}, there, 1.0f); }).find("10 items in groups of 3") != std::string::npos);
    program.launch("add", {10, 5}, there, 1.0f);
    program.launch("add", {0}, there, 1.0f);
    program.launch("nothing", {10});
    there.fetch();
    CHECK(masses == Masses(10, 2));
    CHECK(problemOf([&] { device.run(1, [](std::size_t) {}); }) == ferry::DeviceProblem::NoDevice);
    CHECK(problemOf([] { static_cast<void>(ferry::Device::host().program<>("kernel void k() {}")); }) == ferry::DeviceProblem::NoDevice);
}

TEST_CASE("Device OpenCL: a copy that is larger than the device's memory is refused, and the device stays usable") {
    ferry::Device device = ferry::Device::openCl();
    double value = 1;
    CHECK(problemOf([&] { static_cast<void>(device.copyArray(&value, std::size_t{1} << 50)); }) == ferry::DeviceProblem::OutOfDeviceMemory);
    auto there = device.copyArray(&value, 1);
    there.fetch();
    CHECK(value == 1);
}

TEST_CASE("Device OpenCL: any() is OpenCL where the program links it, and a copy outlives its device") {
    CHECK(ferry::Device::any().name() == ferry::Device::openCl().name());
    CHECK(ferry::Device::any().name().find("OpenCL (") == 0);
    Masses masses(10, 1);
    auto there = [&masses] {
        ferry::Device device = ferry::Device::openCl();
        auto copy = device.copy(masses);
        auto program = device.program<Masses>("kernel void twice(global vector_double* m) { m->data[get_global_id(0)] *= 2; }");
        program.launch("twice", {10}, copy);
        return copy;
    }();
    there.fetch();
    CHECK(masses == Masses(10, 2));
}

#endif
