#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <ferry/tests/device/Atoms.hpp>
#include <ferry/tests/device/runtimes/Runners.hpp>

// Copies there and back on each runtime.

namespace runtimecopies {

using ferry::test::Atoms;
using ferry::test::PositionsOfAtoms;
using ferry::test::Simulation;
using Positions = ferry::View<ferry::inside<&Simulation::atoms, ferry::Owned<PositionsOfAtoms>>>;
using PositionsAndMasses = ferry::View<&Simulation::masses, ferry::inside<&Simulation::atoms, PositionsOfAtoms>>;

struct Sample {
    double positions[3] = {1, 2, 3};
    double forces[3] = {4, 5, 6};
    Atoms atoms{3, positions, forces};
    Simulation simulation{&atoms, {7, 8, 9}};
};

FERRY_TEST_KERNEL(moveAtoms, Simulation, it->atoms->positions[i] += it->atoms->forces[i] * DATA(it->masses)[i];)
FERRY_TEST_KERNEL(markLeftOut, Simulation, it->atoms->positions[1] = !it->atoms->forces && !DATA(it->masses) ? 20 : 0;)
FERRY_TEST_KERNEL(changeFirst, Simulation, it->atoms->positions[0] = 10; DATA(it->masses)[0] = 70;)
FERRY_TEST_KERNEL(addAll, Simulation, double sum = 0; for (int k = 0; k < it->atoms->count; ++k) sum += it->atoms->forces[k];
                  for (int k = 0; k < (int)SIZE(it->masses); ++k) sum += DATA(it->masses)[k]; it->atoms->positions[0] = sum;)
FERRY_TEST_KERNEL(swapArrays, Atoms, it->positions[0] = 5; GLOBAL double* kept = it->positions; it->positions = it->forces;
                  it->forces = kept;)
FERRY_TEST_KERNEL(tenfold, double, it[i] *= 10;)
FERRY_TEST_KERNEL(giveLength, Atoms, it->count = 5;)
FERRY_TEST_KERNEL(breakPointer, Atoms, it->positions = (GLOBAL double*)4096;)

}    // namespace runtimecopies

using namespace runtimecopies;
using namespace ferry::test;

TEST_CASE_TEMPLATE("Device runtimes: a copy goes there and back, one transfer each", Runner, FERRY_TEST_RUNNERS) {
    Runner on;
    Sample sample;
    on.template prepare<moveAtoms>();
    auto there = on.device.copy(sample.simulation);
    CHECK(there.objects() == 5);
    on.template run<moveAtoms>(there, 3);
    CHECK(sample.positions[0] == 1);
    there.fetch();
    CHECK(sample.positions[0] == 1 + 4 * 7);
    CHECK(sample.positions[2] == 3 + 6 * 9);
    CHECK(sample.simulation.atoms == &sample.atoms);
    CHECK(sample.atoms.positions == sample.positions);
    const ferry::DeviceTransfers& transfers = on.device.transfers();
    CHECK(transfers.toDevice == 1);
    CHECK(transfers.fromDevice == 1);
    CHECK(transfers.batches == 0);
    CHECK(transfers.launches == 1);
}

TEST_CASE_TEMPLATE("Device runtimes: a View copies a part, and the rest is null there and untouched here", Runner, FERRY_TEST_RUNNERS) {
    Runner on;
    Sample sample;
    auto there = on.device.copy(ferry::part<Positions>(sample.simulation));
    on.template run<markLeftOut>(there, 1);
    sample.forces[0] = 40;
    there.fetch();
    CHECK(sample.positions[1] == 20);
    CHECK(sample.forces[0] == 40);
    CHECK(sample.simulation.masses.size() == 3);
}

TEST_CASE_TEMPLATE("Device runtimes: fetch<View>() brings back a part", Runner, FERRY_TEST_RUNNERS) {
    Runner on;
    Sample sample;
    auto there = on.device.copy(ferry::part<PositionsAndMasses>(sample.simulation));
    on.template run<changeFirst>(there, 1);
    there.template fetch<Positions>();
    CHECK(sample.positions[0] == 10);
    CHECK(sample.simulation.masses[0] == 7);
    there.fetch();
    CHECK(sample.simulation.masses[0] == 70);
}

TEST_CASE_TEMPLATE("Device runtimes: update() takes new values, and another shape", Runner, FERRY_TEST_RUNNERS) {
    Runner on;
    Sample sample;
    auto there = on.device.copy(sample.simulation);
    sample.simulation.masses[2] = 90;
    sample.forces[1] = 50;
    there.update();
    on.template run<addAll>(there, 1);
    there.fetch();
    CHECK(sample.positions[0] == 4 + 50 + 6 + 7 + 8 + 90);
    sample.simulation.masses.assign(1000, 1);
    sample.atoms.count = 2;
    there.update();
    on.template run<addAll>(there, 1);
    there.fetch();
    CHECK(sample.positions[0] == 4 + 50 + 1000);
}

TEST_CASE_TEMPLATE("Device runtimes: arrays that a kernel swaps come back swapped, small and large ones", Runner, FERRY_TEST_RUNNERS) {
    Runner on;
    for (const int count : {3, 20'000}) {
        std::vector<double> positions(static_cast<std::size_t>(count), 1);
        std::vector<double> forces(static_cast<std::size_t>(count), 2);
        Atoms atoms{count, positions.data(), forces.data()};
        auto there = on.device.copy(atoms);
        on.template run<swapArrays>(there, 1);
        there.fetch();
        CHECK(atoms.positions == forces.data());
        CHECK(atoms.forces == positions.data());
        CHECK(positions[0] == 5);
        CHECK(positions.back() == 1);
        CHECK(forces.back() == 2);
    }
}

TEST_CASE_TEMPLATE("Device runtimes: an array alone", Runner, FERRY_TEST_RUNNERS) {
    Runner on;
    std::vector<double> values(10'000);
    std::iota(values.begin(), values.end(), 0.0);
    auto there = on.device.copyArray(values.data(), values.size());
    on.template run<tenfold>(there, values.size());
    there.fetch();
    CHECK(values[9'999] == 99'990);
    there.update();
    on.template run<tenfold>(there, 1);
    there.fetch();
    CHECK(values[1] == 10);
    CHECK(values[0] == 0);
}

TEST_CASE_TEMPLATE("Device runtimes: a pointer that leads outside is named", Runner, FERRY_TEST_RUNNERS) {
    Runner on;
    Sample sample;
    auto there = on.device.copy(sample.atoms);
    on.template run<breakPointer>(there, 1);
    try {
        there.fetch();
        FAIL("a stray pointer came back");
    } catch (const ferry::DeviceError& e) {
        CHECK(e.problem() == ferry::DeviceProblem::StrayPointer);
        CHECK(std::string(e.what()).find("Atoms::ferry::arrayOf(positions, count)") != std::string::npos);
        CHECK(std::string(e.what()).find("0x1000") != std::string::npos);
    }
    CHECK(sample.atoms.positions == sample.positions);
}

TEST_CASE_TEMPLATE("Device runtimes: a null pointer whose length is not 0 is refused", Runner, FERRY_TEST_RUNNERS) {
    Runner on;
    Atoms atoms{3, nullptr, nullptr};
    CHECK_THROWS_WITH_AS(static_cast<void>(on.device.copy(atoms)), doctest::Contains("set the length to 0"), ferry::UsageError);
    atoms.count = 0;
    auto there = on.device.copy(atoms);
    on.template run<giveLength>(there, 1);
    CHECK_THROWS_WITH_AS(there.fetch(), doctest::Contains("a kernel changed the shape"), ferry::DeviceError);
}

TEST_CASE_TEMPLATE("Device runtimes: a steady state asks the device for no memory", Runner, FERRY_TEST_RUNNERS) {
    Runner on;
    Sample sample;
    const auto cycle = [&] {
        auto there = on.device.copy(sample.simulation);
        on.template run<moveAtoms>(there, 3);
        there.update();
        there.fetch();
    };
    for (int i = 0; i < 3; ++i) cycle();
    const std::size_t allocations = on.device.transfers().allocations;
    for (int i = 0; i < 10'000; ++i) cycle();
    CHECK(on.device.transfers().allocations == allocations);
    on.device.trim();
    cycle();
    CHECK(on.device.transfers().allocations == allocations + 2);
}
