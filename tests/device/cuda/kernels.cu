// Ferry's headers in a source of nvcc: objects with pointers, and a kernel with the same structures. The program runs without a device too.
#include <cstdio>

#include <ferry/device.hpp>
#include <ferry/tests/device/Atoms.hpp>

using ferry::test::Atoms;
using ferry::test::Simulation;
using Positions = ferry::View<ferry::inside<&Simulation::atoms, ferry::test::PositionsOfAtoms>>;

__global__ void move(Simulation* s, double dt) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < s->atoms->count) s->atoms->positions[i] += dt * s->atoms->forces[i] / s->masses[i];
}

int main() {
    double positions[3] = {1, 2, 3};
    double forces[3] = {1, 1, 1};
    Atoms atoms{3, positions, forces};
    Simulation simulation{&atoms, {2, 2, 2}};
    try {
        ferry::Device device = ferry::Device::cuda();
        auto there = device.copy(simulation);
        move<<<1, 32>>>(there.get(), 1.0);
        there.fetch<Positions>();
        std::printf("%.1f %.1f %.1f\n", positions[0], positions[1], positions[2]);
        return positions[0] == 1.5 && positions[2] == 3.5 ? 0 : 1;
    } catch (const ferry::DeviceError& e) {
        std::printf("%s\n", e.what());
        return e.problem() == ferry::DeviceProblem::NoDevice ? 0 : 1;
    }
}
