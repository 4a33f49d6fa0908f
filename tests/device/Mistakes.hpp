#pragma once

#include <vector>

#include <doctest/doctest.h>

#include <ferry/device.hpp>
#include <ferry/tests/device/Atoms.hpp>
#include <ferry/tests/device/isCaught.hpp>

// Mistakes of programs that would pass unseen on a host that pretends to be a device. Each ends the process where the mistake is made.
namespace ferry::test {

struct Sample {
    std::vector<double> positions = std::vector<double>(100, 1);
    std::vector<double> forces = std::vector<double>(100, 1);
    Atoms atoms{100, positions.data(), forces.data()};
    ferry::Device device = ferry::Device::host({.threads = 1});
};

template <class Mistake>
void checkCaught(Mistake mistake) {
    int caught = 0;
    for (int i = 0; i < Repeats; ++i) caught += isCaught(mistake) ? 1 : 0;
    CHECK(caught == Repeats);
}

inline volatile double sink = 0;

}    // namespace ferry::test
