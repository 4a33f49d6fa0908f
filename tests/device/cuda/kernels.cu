// Ferry's headers in a source of nvcc: objects with pointers, and kernels with the same structures. The program runs without a device too.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <ferry/device.hpp>
#include <ferry/tests/device/Atoms.hpp>

using ferry::test::Atoms;
using ferry::test::Simulation;
using Positions = ferry::View<ferry::inside<&Simulation::atoms, ferry::test::PositionsOfAtoms>>;

#define CHECK_MASS(value_) xassert((value_) > 0, "mass {}", i)    // a check in the body of a macro

__global__ void move(Simulation* s, double dt) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= s->atoms->count) return;
    CHECK_MASS(s->masses[i]);
    xassert(dt == 1.0 || dt == 2.0);
    s->atoms->positions[i] += dt * s->atoms->forces[i] / s->masses[i];
}

// Half of the threads end at the check. The barrier behind it waits for the others alone.
__global__ void meet(int* sums, int limit) {
    __shared__ int sum;
    const int i = static_cast<int>(threadIdx.x);
    if (i == 0) sum = 0;
    __syncthreads();
    xassert(i < limit, "thread {}", i);
    atomicAdd(&sum, 1);
    __syncthreads();
    if (i == 0) sums[blockIdx.x] = sum;
}

namespace {

int failures = 0;
void check(bool isRight, const char* text) {
    if (isRight) return;
    std::printf("wrong: %s\n", text);
    ++failures;
}

/// A function of the host with a check of the host, whose values are no numbers.
void checkOnHost(const std::string& name) { xassert(name == "host", "the name {}", name); }

void useBarriers(ferry::Device& device) {
    int sums[64] = {};
    auto there = device.copyArray(sums, 64);
    for (int round = 0; round < 100; ++round) {
        try {
            device.launch({64, 256}, meet, there, 128);
            device.wait();
            check(false, "an xassert before a barrier arrives");
        } catch (const ferry::AssertionFailure& e) {
            check(e.message.find("thread ") == 0 && e.values == e.message.substr(7) + " < 128", e.what());
        }
    }
    there.fetch();
    check(sums[0] == 128 && sums[63] == 128, "the threads that are left meet at the barrier");
}

void useDevice(ferry::Device device) {
    double positions[3] = {1, 2, 3};
    double forces[3] = {1, 1, 1};
    Atoms atoms{3, positions, forces};
    Simulation simulation{&atoms, {2, 2, 2}};
    auto there = device.copy(simulation);
    move<<<1, 32, 0, device.stream()>>>(there.get(), 1.0);
    there.fetch<Positions>();
    check(positions[0] == 1.5 && positions[2] == 3.5, "a launch with <<<>>>");
    device.launch({1, 32}, move, there, 2);
    there.fetch();
    check(positions[0] == 2.5, "a launch of a kernel");
    device.launch(
        {3}, [] __host__ __device__(std::size_t i, Simulation * s, double dt) { s->atoms->positions[i] += dt; }, there, 0.5);
    device.run(3, [s = there.get()] __device__(std::size_t i) { s->atoms->forces[i] = 9; });
    ferry::DeviceQueue second = device.queue();
    second.putBehind(device.mark());
    second.launch({1, 32}, move, there, 2.0);
    second.wait();
    there.fetch();
    check(positions[0] == 12 && forces[2] == 9, "launches of lambdas, and of a second queue");
    simulation.masses[2] = -1;
    there.update();
    for (int round = 0; round < 1000; ++round) {
        try {
            device.launch({1, 32}, move, there, 1.0);
            device.wait();
            check(false, "an xassert that fails arrives");
        } catch (const ferry::AssertionFailure& e) {
            check(e.values == "-1 > 0" && e.message == "mass 2" && std::strstr(e.file.c_str(), "kernels.cu") != nullptr, e.what());
        }
    }
    simulation.masses[2] = 2;
    there.update();
    device.launch({1, 32}, move, there, 1.0);
    there.fetch();
    check(failures == 0, "the device stays usable");
    useBarriers(device);
}

}    // namespace

int main() {
    try {
        checkOnHost("guest");
        check(false, "an xassert on the host throws");
    } catch (const ferry::AssertionFailure& e) {
        check(e.message == "the name guest", e.what());
    }
    // On the host the same lambda runs, and kernels of CUDA are refused.
    ferry::Device host = ferry::Device::host();
    std::vector<int> values{1, 2, 3};
    auto there = host.copy(values);
    host.launch(
        {3}, [] __host__ __device__(std::size_t i, std::vector<int> * v, int by) { (*v)[i] += by; }, there, 10);
    host.run(3, [v = there.get()](std::size_t i) { (*v)[i] += 100; });
    there.fetch();
    check(values[2] == 113, "kernels on the host");
    Simulation simulation;
    auto empty = host.copy(simulation);
    try {
        host.launch({1, 32}, move, empty, 1.0);
        check(false, "a kernel of CUDA on the host is refused");
    } catch (const ferry::DeviceError& e) {
        check(e.problem() == ferry::DeviceProblem::NoDevice, e.what());
    }
    try {
        useDevice(ferry::Device::cuda());
    } catch (const ferry::DeviceError& e) {
        std::printf("%s\n", e.what());
        check(e.problem() == ferry::DeviceProblem::NoDevice, "a machine without a device");
    }
    return failures == 0 ? 0 : 1;
}
