#include <stdexcept>
#include <string>
#include <vector>

#include <ferry/serialization/exception/xassert.hpp>
#include <ferry/tests/device/Failures.hpp>
#include <ferry/tests/device/runtimes/Runners.hpp>

// Launches in several queues, on each runtime.

namespace runtimequeues {

using vector_double = std::vector<double>;    // as kernels call it

struct Atoms {
    int count = 0;
    double* positions = nullptr;
    FERRY_FIELDS(ferry::arrayOf(positions, count))
};

void move(std::size_t i, Atoms* atoms, double by) { atoms->positions[i] += by; }

}    // namespace runtimequeues

using namespace runtimequeues;
using namespace ferry::test;

TEST_CASE("Device queues: the host launches functions and lambdas with arguments, in several queues") {
    ferry::Device device = ferry::Device::host({.threads = 2});
    double positions[3] = {1, 2, 3};
    Atoms atoms{3, positions};
    std::vector<double> factors{10, 20, 30};
    auto there = device.copy(atoms);
    auto factorsThere = device.copy(factors);
    auto array = device.copyArray(positions, 3);
    device.launch({3}, move, there, 0.5);
    device.launch({3}, &move, there, 0.5);
    ferry::DeviceQueue second = device.queue();
    second.putBehind(device.mark());
    second.launch(
        {3, 1},
        [](std::size_t i, Atoms* a, const std::vector<double>* f, double* alone, bool isAdded) {
            a->positions[i] *= (*f)[i];
            if (isAdded) a->positions[i] += alone[i];
        },
        there, factorsThere, array, true);
    const ferry::DeviceEvent event = second.mark();
    event.wait();
    CHECK(event.isReached());
    second.wait();
    CHECK(second.stream() == nullptr);
    there.fetch();
    CHECK(positions[0] == 2 * 10 + 1);
    CHECK(positions[2] == 4 * 30 + 3);
    CHECK(device.transfers().launches == 3);
    device.launch({0}, move, there, 0.5);
}

TEST_CASE("Device queues: the failure of a launch on the host arrives from the next wait, copy, fetch or update, once") {
    ferry::Device device = ferry::Device::host({.threads = 2});
    std::vector<double> masses{1, -2, 3};
    std::vector<double> others{1};
    auto there = device.copy(masses);
    const auto check = [](std::size_t i, std::vector<double>* m) { xassert((*m)[i] > 0, "mass {}", i); };
    ferry::DeviceQueue second = device.queue();
    const auto launch = [&] {
        const int line = __LINE__ + 1;
        second.launch({3}, check, there);
        device.launch({1}, [](std::size_t) { throw std::runtime_error("a later one"); });
        return line;
    };
    const auto arrives = [&](auto&& use) {
        const int line = launch();
        try {
            use();
            FAIL("no exception");
        } catch (const ferry::AssertionFailure& e) {
            CHECK(e.values == "-2 > 0");
            CHECK(e.message == "mass 1");
            CHECK(contextOf(e, "kernel launched at") == "RuntimeQueueTest.cpp:" + std::to_string(line));
        }
        CHECK_NOTHROW(device.wait());
    };
    arrives([&] { device.wait(); });
    arrives([&] { there.fetch(); });
    arrives([&] { there.update(); });
    arrives([&] { static_cast<void>(device.copy(others)); });
    arrives([&] { device.run(1, [](std::size_t) { throw std::logic_error("not reached"); }); });
    launch();    // a device may end with a failure that nobody has waited for
}

TEST_CASE("Device queues: an event or a queue of another device is refused") {
    ferry::Device device = ferry::Device::host();
    ferry::Device other = ferry::Device::host();
    CHECK(errorOf([&] { device.putBehind(other.mark()); }).find("of another device") != std::string::npos);
}

TEST_CASE("Device queues: blocks of threads need CUDA") {
    ferry::Device device = ferry::Device::host();
    void (*kernel)(double*, int) = [](double*, int) {};
    CHECK(errorOf([&] {
              device.launch({1, 256}, kernel, static_cast<double*>(nullptr), 1);
          }).find("use Device::cuda()") != std::string::npos);
}

#ifdef FERRY_TEST_OPENCL

TEST_CASE("Device OpenCL: launches of several queues are ordered by events, and copies wait for all") {
    ferry::Device device = ferry::Device::openCl();
    auto program = device.program<vector_double>(R"(
        kernel void count(global vector_double* v, int times) {
            size_t i = get_global_id(0);
            for (int k = 0; k < times; ++k) v->data[i] = v->data[i] * 0.5 + 1;
        }
        kernel void take(global vector_double* to, global const vector_double* from) {
            size_t i = get_global_id(0);
            to->data[i] = from->data[i] + 100;
        })");
    std::vector<double> values(1000, 0), results(1000, 0);
    auto there = device.copy(values);
    auto resultsThere = device.copy(results);
    for (int round = 0; round < 20; ++round) {
        ferry::DeviceQueue second = device.queue();
        ferry::DeviceQueue third = device.queue();
        program.launch(second, "count", {values.size()}, there, 2000);
        const ferry::DeviceEvent counted = second.mark();
        third.putBehind(counted);
        program.launch(third, "take", {values.size()}, resultsThere, there);
        resultsThere.fetch();    // waits for all queues
        CHECK(counted.isReached());
        CHECK(results[999] == 102);
        CHECK(results[0] == 102);
        resultsThere.update();
        there.update();
    }
    std::vector<double> before = values;
    there.fetch();
    CHECK(values == before);
    CHECK(device.stream() == nullptr);
}

TEST_CASE("Device OpenCL: a failure in another queue arrives, and a queue that has ended leaves the device usable") {
    ferry::Device device = ferry::Device::openCl();
    auto program = device.program<vector_double>(
        "kernel void check(global vector_double* v, double least) { xassert(v->data[get_global_id(0)] > least); }");
    std::vector<double> values(100, 1);
    auto there = device.copy(values);
    for (int round = 0; round < 100; ++round) {
        ferry::DeviceQueue queue = device.queue();
        program.launch(queue, "check", {values.size()}, there, 2.0);
        queue.wait();
        try {
            device.wait();
            FAIL("no exception");
        } catch (const ferry::AssertionFailure& e) {
            CHECK(e.values == "1 > 2");
            CHECK(contextOf(e, "kernel") == "check");
        }
        program.launch("check", {values.size()}, there, 0.0);
        CHECK_NOTHROW(device.wait());
    }
    ferry::Device other = ferry::Device::openCl();
    ferry::DeviceQueue foreign = other.queue();
    CHECK(errorOf([&] { program.launch(foreign, "check", {1}, there, 0.0); }).find("of another device") != std::string::npos);
    CHECK(errorOf([&] { device.launch({1}, [](std::size_t) {}); }).find("use Device::host()") != std::string::npos);
}

TEST_CASE("Device OpenCL: an xassert in the body of a macro belongs to the kernel that uses the macro") {
    ferry::Device device = ferry::Device::openCl();
    const int begin = __LINE__ + 1;
    auto program = device.program<vector_double>(R"(
        #define LIMIT 3.0
        #define CHECK(value_, what_) xassert((value_) < LIMIT, "item {}, " what_, i); /* xassert(0) */
        #define CHECK_BOTH(left_, right_) do { xassert(left_ > 0 \
                && right_ > 0); CHECK(left_, "left"); } while (0)
        kernel void check(global vector_double* v, int both) {
            size_t i = get_global_id(0);
            if (both) {
                CHECK_BOTH(v->data[i], v->data[i] + both);
            } else {
                CHECK(v->data[i], "alone");
            }
            v->data[i] = 0;
        })");
    std::vector<double> values{1, 5, 1};
    auto there = device.copy(values);
    const auto failureOf = [&](int both) {
        program.launch("check", {values.size()}, there, both);
        try {
            device.wait();
        } catch (const ferry::AssertionFailure& e) {
            return e;
        }
        return ferry::AssertionFailure();
    };
    const ferry::AssertionFailure alone = failureOf(0);
    CHECK(alone.line == begin + 10);
    CHECK(alone.values == "5 < 3");
    there.update();
    const ferry::AssertionFailure inner = failureOf(1);
    CHECK(inner.line == begin + 8);
    CHECK(inner.values == "5 < 3");
    values[1] = -1;
    there.update();
    const ferry::AssertionFailure outer = failureOf(7);
    CHECK(outer.line == begin + 8);
    CHECK(outer.expression.find("left_ > 0") == 0);
    CHECK(outer.expression.find("right_ > 0") != std::string::npos);
    CHECK(outer.expression.find('\n') == std::string::npos);
    CHECK(errorOf([&] {
              static_cast<void>(device.program<>(R"(
                  #define CHECK(x_) xassert(x_ > 0)
                  int half_of(int x) { CHECK(x); return x / 2; }
                  kernel void k(void) {})"));
          }).find("an xassert in a macro stands in a function that is no kernel") != std::string::npos);
}

#endif
