// Particles on an OpenCL device: the kernel is a text in OpenCL C that knows the structures of the host.
#include <ferry/device.hpp>
#include <ferry/objects.hpp>

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

int main() {
    double positions[] = {1, 2, 3}, forces[] = {1, 1, 1};
    Atoms atoms{3, positions, forces};
    Simulation simulation{&atoms, {2, 2, 2}};
    try {
        ferry::Device device = ferry::Device::openCl();
        auto program = device.program<Simulation>(R"(
            kernel void move(global Simulation* s, double dt) {
                size_t i = get_global_id(0);
                xassert(s->masses.data[i] > 0, "mass {}", i);
                s->atoms->positions[i] += dt * s->atoms->forces[i] / s->masses.data[i];
            })");
        auto there = device.copy(simulation);
        program.launch("move", {3}, there, 0.5);    // returns at once
        there.fetch();                              // waits
        std::printf("%.2f %.2f %.2f\n", positions[0], positions[1], positions[2]);

        simulation.masses[2] = -1;
        there.update();
        program.launch("move", {3}, there, 0.5);
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
