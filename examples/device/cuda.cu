// Particles on a CUDA device: the kernel uses the same structures and ordinary pointers, and its xassert arrives on the host.
//     nvcc -std=c++20 --expt-relaxed-constexpr cuda.cu $(pkg-config --cflags --libs ferry-device-cuda)
#include <ferry/device.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

struct Atoms {
    int count = 0;
    double* positions = nullptr;
    double* forces = nullptr;
    FERRY_FIELDS(ferry::arrayOf(positions, count), ferry::arrayOf(forces, count))
};
struct Simulation {
    Atoms* atoms = nullptr;
    std::vector<double> masses;
    FERRY_FIELDS(atoms, masses)
};

__global__ void move(Simulation* s, double dt) {
    const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s->masses.size()) return;
    xassert(s->masses[i] > 0, "mass {}", i);
    s->atoms->positions[i] += dt * s->atoms->forces[i] / s->masses[i];
}

int main() {
    double positions[] = {1, 2, 3}, forces[] = {1, 1, 1};
    Atoms atoms{3, positions, forces};
    Simulation simulation{&atoms, {2, 2, 2}};
    try {
        ferry::Device gpu = ferry::Device::cuda();
        auto there = gpu.copy(simulation);
        gpu.launch({1, 256}, move, there, 0.5);    // returns at once; <<<1, 256, 0, gpu.stream()>>> works too
        there.fetch();                             // waits
        std::printf("%.2f %.2f %.2f\n", positions[0], positions[1], positions[2]);

        simulation.masses[2] = -1;
        there.update();
        gpu.launch({1, 256}, move, there, 0.5);
        there.fetch();
        std::printf("not reached\n");
    } catch (const ferry::AssertionFailure& e) {
        std::printf("%s\n", e.what());
    } catch (const ferry::DeviceError& e) {
        if (e.problem() != ferry::DeviceProblem::NoDevice) throw;
        std::printf("%s\n", e.what());
    }
    return 0;
}
