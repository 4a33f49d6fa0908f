#pragma once

#include <vector>

#include <ferry/device.hpp>

// The structures that are copied by tests of g++ and by kernels of nvcc alike.
namespace ferry::test {

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
using PositionsOfAtoms = ferry::View<ferry::counted<ferry::CountedBy<&Atoms::count>, ferry::ArrayAt<&Atoms::positions>>>;

}    // namespace ferry::test
