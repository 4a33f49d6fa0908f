#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/device.hpp>
#include <ferry/tests/device/Atoms.hpp>
#include <ferry/tests/support/AllocationWatch.hpp>

// Copies there and back: transfers, parts, addresses, chains, arrays, and the memory that is kept.

namespace {

using ferry::test::Atoms;
using ferry::test::PositionsOfAtoms;
using ferry::test::Simulation;

using Positions = ferry::View<ferry::inside<&Simulation::atoms, ferry::Owned<PositionsOfAtoms>>>;
using PositionsAndMasses = ferry::View<&Simulation::masses, ferry::inside<&Simulation::atoms, PositionsOfAtoms>>;
using Masses = ferry::View<&Simulation::masses>;

struct Sample {
    double positions[3] = {1, 2, 3};
    double forces[3] = {4, 5, 6};
    Atoms atoms{3, positions, forces};
    Simulation simulation{&atoms, {7, 8, 9}};
};

}    // namespace

TEST_CASE("Device: a copy holds the values of the host, and nothing comes back before fetch()") {
    ferry::Device device = ferry::Device::host();
    CHECK(device.name() == "host");
    Sample sample;
    auto there = device.copy(sample.simulation);
    CHECK(there.objects() == 5);
    CHECK(there.bytes() == sizeof(Simulation) + sizeof(Atoms) + 9 * sizeof(double));
    device.run(3, [s = there.get()](std::size_t i) { s->atoms->positions[i] += s->atoms->forces[i] * s->masses[i]; });
    CHECK(sample.positions[0] == 1);
    there.fetch();
    CHECK(sample.positions[0] == 1 + 4 * 7);
    CHECK(sample.positions[2] == 3 + 6 * 9);
    CHECK(sample.simulation.atoms == &sample.atoms);
    CHECK(sample.atoms.positions == sample.positions);
    const ferry::DeviceTransfers& transfers = device.transfers();
    CHECK(transfers.toDevice == 1);
    CHECK(transfers.fromDevice == 1);
    CHECK(transfers.batches == 0);
    CHECK(transfers.launches == 1);
}

TEST_CASE("Device: a View copies a part, and the rest is null there and untouched here") {
    ferry::Device device = ferry::Device::host();
    Sample sample;
    auto there = device.copy(ferry::part<Positions>(sample.simulation));
    bool isLeftOut = false;
    device.run(1, [&isLeftOut, s = there.get()](std::size_t) {
        isLeftOut = s->atoms->forces == nullptr && s->masses.empty();
        s->atoms->positions[1] = 20;
    });
    CHECK(isLeftOut);
    sample.forces[0] = 40;
    there.fetch();
    CHECK(sample.positions[1] == 20);
    CHECK(sample.forces[0] == 40);
    CHECK(sample.atoms.forces == sample.forces);
    CHECK(sample.simulation.masses.size() == 3);
}

TEST_CASE("Device: fetch<View>() brings back a part of a copy") {
    ferry::Device device = ferry::Device::host();
    Sample sample;
    auto there = device.copy(ferry::part<PositionsAndMasses>(sample.simulation));
    device.run(1, [s = there.get()](std::size_t) {
        s->atoms->positions[0] = 10;
        s->masses[0] = 70;
    });
    there.fetch<Positions>();
    CHECK(sample.positions[0] == 10);
    CHECK(sample.simulation.masses[0] == 7);
    there.fetch<Masses>();
    CHECK(sample.simulation.masses[0] == 70);
}

TEST_CASE("Device: fetch<View>() brings back large arrays that the View shows, and no others") {
    ferry::Device device = ferry::Device::host();
    std::vector<double> positions(20'000, 1);
    std::vector<double> forces(20'000, 2);
    Atoms atoms{20'000, positions.data(), forces.data()};
    auto there = device.copy(atoms);
    device.run(20'000, [a = there.get()](std::size_t i) {
        a->positions[i] += a->forces[i];
        a->forces[i] = 0;
    });
    const std::size_t before = device.transfers().fromDeviceBytes;
    there.fetch<PositionsOfAtoms>();
    CHECK(positions[19'999] == 3);
    CHECK(forces[19'999] == 2);
    CHECK(device.transfers().fromDeviceBytes - before < 20'000 * sizeof(double) + 1000);
    there.fetch();
    CHECK(forces[19'999] == 0);
}

TEST_CASE("Device: arrays that a kernel swaps come back swapped") {
    ferry::Device device = ferry::Device::host();
    for (const int count : {3, 20'000}) {
        std::vector<double> positions(static_cast<std::size_t>(count), 1);
        std::vector<double> forces(static_cast<std::size_t>(count), 2);
        Atoms atoms{count, positions.data(), forces.data()};
        auto there = device.copy(atoms);
        device.run(1, [a = there.get()](std::size_t) {
            a->positions[0] = 5;
            std::swap(a->positions, a->forces);
        });
        there.fetch();
        CHECK(atoms.positions == forces.data());
        CHECK(atoms.forces == positions.data());
        CHECK(positions[0] == 5);
    }
}

TEST_CASE("Device: a kernel swaps arrays in each step, and fetch() brings each step back") {
    ferry::Device device = ferry::Device::host({.threads = 1});
    for (const int count : {3, 20'000}) {
        const auto size = static_cast<std::size_t>(count);
        std::vector<double> positions(size, 1);
        std::vector<double> forces(size, 0);
        Atoms atoms{count, positions.data(), forces.data()};
        auto there = device.copy(atoms);
        const auto step = [&device, &there] {
            device.run(1, [a = there.get()](std::size_t) {
                for (int i = 0; i < a->count; ++i) a->forces[i] = a->positions[i] + 1;
                std::swap(a->positions, a->forces);
            });
        };
        for (int i = 1; i <= 3; ++i) {
            step();
            there.fetch();
            CHECK(atoms.positions[0] == 1 + i);
            CHECK(atoms.positions == (i % 2 == 0 ? positions.data() : forces.data()));
        }
        step();
        there.fetch<PositionsOfAtoms>();
        CHECK(atoms.positions[size - 1] == 5);
        CHECK(atoms.positions == atoms.forces);    // the other pointer is no part of the View
        there.fetch();
        CHECK(atoms.forces == forces.data());
        CHECK(ferry::deviceGraph(there).image.pointers.size() == 2);

        device.run(1, [a = there.get()](std::size_t) {
            std::swap(a->positions, a->forces);
            a->forces += 1'000'000;
        });
        CHECK_THROWS_AS(there.fetch(), ferry::DeviceError);    // the first pointer has come back
        CHECK(atoms.positions == forces.data());
        device.run(1, [a = there.get()](std::size_t) { a->forces -= 1'000'000; });
        there.fetch();
        CHECK(atoms.forces == positions.data());

        std::vector<double> other(size, 0);
        atoms.positions = other.data();    // a change of the host
        CHECK_THROWS_AS(there.fetch(), ferry::UsageError);
        there.update();
        there.fetch();
        CHECK(atoms.forces == positions.data());
    }
}

TEST_CASE("Device: update() takes new values, and another shape") {
    ferry::Device device = ferry::Device::host();
    Sample sample;
    auto there = device.copy(sample.simulation);
    const Simulation* first = there.get();
    sample.simulation.masses[2] = 90;
    sample.forces[1] = 50;
    there.update();
    CHECK(there.get() == first);
    double sum = 0;
    const auto add = [&sum, &there](std::size_t) { sum = there.get()->masses[2] + there.get()->atoms->forces[1]; };
    device.run(1, add);
    CHECK(sum == 140);
    sample.simulation.masses.assign(1000, 1);
    sample.atoms.count = 2;
    there.update();
    CHECK(there.bytes() == sizeof(Simulation) + sizeof(Atoms) + (1000 + 4) * sizeof(double));
    sample.simulation.atoms = nullptr;
    there.update();
    CHECK(there.objects() == 2);
}

TEST_CASE("Device: address() gives the device's address of what was copied") {
    ferry::Device device = ferry::Device::host();
    Sample sample;
    auto there = device.copy(ferry::part<Positions>(sample.simulation));
    double* second = there.address(&sample.positions[1]);
    CHECK(there.address(&sample.simulation) == there.get());
    CHECK(there.address(static_cast<double*>(nullptr)) == nullptr);
    device.run(1, [second](std::size_t) { *second = 22; });
    there.fetch();
    CHECK(sample.positions[1] == 22);
    try {
        static_cast<void>(there.address(sample.forces));
        FAIL("an address of what a View leaves out");
    } catch (const ferry::DeviceError& e) {
        CHECK(e.problem() == ferry::DeviceProblem::NotCopied);
    }
    CHECK_THROWS_AS(static_cast<void>(there.address(sample.positions + 3)), ferry::DeviceError);
}

TEST_CASE("Device: chain() follows pointers, and names the link that is null") {
    Sample sample;
    CHECK(ferry::chain(sample.simulation, &Simulation::atoms, &Atoms::positions) == sample.positions);
    ferry::chain(sample.simulation, &Simulation::atoms, &Atoms::count) = 2;
    CHECK(sample.atoms.count == 2);
    sample.simulation.atoms = nullptr;
    CHECK(ferry::chain(sample.simulation, &Simulation::atoms) == nullptr);
    try {
        static_cast<void>(ferry::chain(sample.simulation, &Simulation::atoms, &Atoms::positions));
        FAIL("a null link was followed");
    } catch (const ferry::UsageError& e) {
        const std::string text = e.what();
        CHECK(text.find("link 1 of 2 is null") != std::string::npos);
        CHECK(text.find("Simulation") != std::string::npos);
    }
}

TEST_CASE("Device: copyArray() copies an array alone") {
    ferry::Device device = ferry::Device::host();
    Sample sample;
    auto x = device.copyArray(ferry::chain(sample.simulation, &Simulation::atoms, &Atoms::positions), 3);
    CHECK(x.size() == 3);
    device.run(x.size(), [p = x.get()](std::size_t i) { p[i] *= 10; });
    x.fetch();
    CHECK(sample.positions[2] == 30);
    sample.positions[0] = 5;
    x.update();
    double found = 0;
    device.run(1, [&found, p = x.get()](std::size_t) { found = p[0]; });
    CHECK(found == 5);
    CHECK_THROWS_AS(device.copyArray(static_cast<double*>(nullptr), 5), ferry::UsageError);
    CHECK_THROWS_AS(device.copyArray(sample.simulation.atoms->positions, (std::size_t{1} << 61) + 1), ferry::UsageError);
    auto nothing = device.copyArray(static_cast<double*>(nullptr), 0);
    CHECK(nothing.get() == nullptr);
    nothing.fetch();
    const double constants[2] = {1, 2};
    auto constant = device.copyArray(constants, 2);
    device.run(1, [&found, p = constant.get()](std::size_t) { found = p[1]; });
    CHECK(found == 2);
}

TEST_CASE("Device: a copy that was moved from is told, and a device that was moved from is the same device") {
    ferry::Device device = ferry::Device::host();
    std::vector<int> numbers{1, 2, 3};
    auto there = device.copy(numbers);
    auto other = std::move(there);
    CHECK(there.get() == nullptr);    // NOLINT(bugprone-use-after-move)
    CHECK_THROWS_AS(there.fetch(), ferry::UsageError);
    CHECK_THROWS_AS(there.update(), ferry::UsageError);
    const ferry::Device moved = std::move(device);
    device.run(3, [n = other.get()](std::size_t i) { (*n)[i] *= 2; });    // NOLINT(bugprone-use-after-move)
    other.fetch();
    CHECK(numbers == std::vector<int>{2, 4, 6});
    CHECK(moved.name() == "host");
}

TEST_CASE("Device: a kernel that launches a kernel on its own device is told, and the device stays usable") {
    for (const std::size_t threads : {1, 3}) {
        ferry::Device device = ferry::Device::host({.threads = threads});
        std::vector<int> numbers(10, 1);
        auto there = device.copy(numbers);
        const auto nested = [&, n = there.get()](std::size_t i) {
            if (i == 5) device.run(2, [](std::size_t) {});
            (*n)[i] = 2;
        };
        CHECK_THROWS_WITH_AS(device.run(10, nested), doctest::Contains("launched a kernel on its own device"), ferry::DeviceError);
        device.run(10, [n = there.get()](std::size_t i) { (*n)[i] = 3; });
        there.fetch();
        CHECK(numbers == std::vector<int>(10, 3));
    }
}

TEST_CASE("Device: a constant object is copied, and const pointers are left alone by fetch()") {
    ferry::Device device = ferry::Device::host();
    const std::vector<int> constant{1, 2, 3};
    auto there = device.copy(constant);
    int sum = 0;
    device.run(1, [&sum, v = there.get()](std::size_t) { sum = (*v)[0] + (*v)[2]; });
    CHECK(sum == 4);
    struct Holder {
        const Atoms* atoms = nullptr;
        int number = 0;
    };
    Sample sample;
    Holder holder{&sample.atoms, 0};
    auto held = device.copy(holder);
    device.run(1, [h = held.get()](std::size_t) { h->number = h->atoms->count; });
    sample.atoms.count = 2;
    CHECK_NOTHROW(held.update());
    sample.atoms.count = 3;
    held.update();
    held.fetch();
    CHECK(holder.number == 0);
}

TEST_CASE("Device: null pointers and empty arrays stay null") {
    ferry::Device device = ferry::Device::host();
    Simulation empty;
    auto there = device.copy(empty);
    bool isEmpty = false;
    device.run(1, [&isEmpty, s = there.get()](std::size_t) { isEmpty = s->atoms == nullptr && s->masses.empty(); });
    CHECK(isEmpty);
    there.fetch();
    Atoms atoms{0, reinterpret_cast<double*>(std::uintptr_t{64}), nullptr};    // a pointer that no element follows
    auto none = device.copy(atoms);
    device.run(1, [&isEmpty, a = none.get()](std::size_t) { isEmpty = a->positions == nullptr; });
    CHECK(isEmpty);
    none.fetch();
    CHECK(atoms.positions == reinterpret_cast<double*>(std::uintptr_t{64}));
    atoms.count = -1;
    CHECK_THROWS_AS(none.update(), ferry::UsageError);
    CHECK_THROWS_AS(device.copy(atoms), ferry::UsageError);
}

TEST_CASE("Device: a null pointer whose length is not 0 is refused by the name of its member") {
    ferry::Device device = ferry::Device::host();
    const auto refusal = [](const auto& call) -> std::string {
        try {
            call();
        } catch (const ferry::UsageError& e) {
            return e.what();
        }
        return "none";
    };
    const std::string lengthOf = " is null, but the length of the array is not 0: set the length to 0";
    Atoms atoms{3, nullptr, nullptr};
    const std::string named = "ferry::test::Atoms::ferry::arrayOf(positions, count)" + lengthOf;
    CHECK(refusal([&] { static_cast<void>(device.copy(atoms)); }) == named);
    Simulation simulation{&atoms, {}};
    CHECK(refusal([&] { static_cast<void>(device.copy(simulation)); }) == named);
    std::vector<Atoms> several(2);
    several[1].count = 1;
    CHECK(refusal([&] { static_cast<void>(device.copy(several)); }) == named);
    CHECK(refusal([&] { static_cast<void>(device.copy(ferry::part<PositionsOfAtoms>(atoms))); }).find("positions") != std::string::npos);

    atoms.count = 0;
    auto there = device.copy(atoms);
    atoms.count = 2;
    CHECK(refusal([&] { there.update(); }) == named);
    double values[2] = {1, 2};
    atoms.positions = values;
    CHECK(refusal([&] { static_cast<void>(device.copy(atoms)); }).find("forces") != std::string::npos);
    atoms.forces = values;
    CHECK_NOTHROW(static_cast<void>(device.copy(atoms)));
}

TEST_CASE_TEMPLATE("Device: a kernel that changes a length has changed the shape, and the host keeps its length", Part, ferry::Whole,
                   PositionsOfAtoms) {
    ferry::Device device = ferry::Device::host({.threads = 1});
    for (const int length : {0, 4}) {
        for (const int changed : {2, 1'000'000}) {
            std::vector<double> positions(4, 1);
            Atoms atoms{length, length == 0 ? nullptr : positions.data(), positions.data()};
            auto there = device.copy(atoms);
            device.run(1, [changed, a = there.get()](std::size_t) { a->count = changed; });
            try {
                if constexpr (std::is_same_v<Part, ferry::Whole>)
                    there.fetch();
                else
                    there.template fetch<Part>();
                FAIL("a changed length came back");
            } catch (const ferry::DeviceError& e) {
                CHECK(e.problem() == ferry::DeviceProblem::ChangedShape);
                CHECK(std::string(e.what()).find("positions") != std::string::npos);
            }
            CHECK(atoms.count == length);
            there.update();
            atoms.count = 3;
            if (length != 0) CHECK_THROWS_AS(there.fetch(), ferry::UsageError);    // a change of the host
        }
    }
}

TEST_CASE("Device: a kernel that lets the pointer of an array be null has changed the shape, and the host keeps its pointer") {
    ferry::Device device = ferry::Device::host({.threads = 1});
    Sample sample;
    auto there = device.copy(sample.atoms);
    device.run(1, [a = there.get()](std::size_t) { a->positions = nullptr; });
    CHECK_THROWS_WITH_AS(there.fetch(), doctest::Contains("changed the shape"), ferry::DeviceError);
    CHECK_THROWS_WITH_AS(there.fetch<PositionsOfAtoms>(), doctest::Contains("changed the shape"), ferry::DeviceError);
    CHECK(sample.atoms.positions == sample.positions);
}

TEST_CASE("Device: memory is kept for further copies, and trim() gives it back") {
    ferry::Device device = ferry::Device::host();
    Sample sample;
    const auto cycle = [&] {
        auto there = device.copy(sample.simulation);
        device.run(3, [s = there.get()](std::size_t i) { s->masses[i] += 1; });
        there.update();
        there.fetch();
        static_cast<void>(there.address(sample.positions));
    };
    for (int i = 0; i < 3; ++i) cycle();
    const std::size_t allocations = device.transfers().allocations;
    {
        const ferry::test::AllocationWatch watch;
        for (int i = 0; i < 10'000; ++i) cycle();
        CHECK(watch.largestBytes() == 0);
        CHECK(watch.inUseBytes() == 0);
    }
    CHECK(device.transfers().allocations == allocations);
    device.trim();
    cycle();
    CHECK(device.transfers().allocations == allocations + 2);
}

TEST_CASE("Device: a copy outlives the device that made it") {
    Sample sample;
    auto there = [&sample] {
        ferry::Device device = ferry::Device::host();
        return device.copy(sample.simulation);
    }();
    auto moved = std::move(there);
    sample.positions[0] = 3;
    moved.fetch();
    CHECK(sample.positions[0] == 1);
}
