#include <string>

#include <ferry/tests/device/Mistakes.hpp>

using namespace ferry::test;

TEST_CASE("Device mistakes: a correct program lives") {
    CHECK(!isCaught([] {
        Sample sample;
        auto there = sample.device.copy(sample.atoms);
        sample.device.run(100, [a = there.get()](std::size_t i) { a->positions[i] += a->forces[i]; });
        there.fetch();
        sink = sample.positions[99];
    }));
}

TEST_CASE("Device mistakes: the host follows a pointer of the device") {
    checkCaught([] {
        Sample sample;
        auto there = sample.device.copy(sample.atoms);
        sink = there.get()->positions[0];
    });
}

TEST_CASE("Device mistakes: the host follows a pointer of the device after a kernel has run") {
    checkCaught([] {
        Sample sample;
        auto there = sample.device.copy(sample.atoms);
        sample.device.run(1, [a = there.get()](std::size_t) { sink = a->positions[0]; });
        sink = there.get()->positions[0];
    });
}

TEST_CASE("Device mistakes: a kernel follows a member that the View leaves out") {
    checkCaught([] {
        Sample sample;
        auto there = sample.device.copy(ferry::part<PositionsOfAtoms>(sample.atoms));
        sample.device.run(1, [a = there.get()](std::size_t) { sink = a->forces[0]; });
    });
}

TEST_CASE("Device mistakes: a kernel goes far past the end of a copy") {
    checkCaught([] {
        Sample sample;
        auto there = sample.device.copy(sample.atoms);
        sample.device.run(1, [a = there.get()](std::size_t) { a->positions[10'000] = 1; });
    });
}

TEST_CASE("Device mistakes: a kernel uses a copy that has ended") {
    checkCaught([] {
        Sample sample;
        Atoms* old = nullptr;
        {
            auto there = sample.device.copy(sample.atoms);
            old = there.get();
        }
        sample.device.run(1, [old](std::size_t) { sink = old->positions[0]; });
    });
}

TEST_CASE("Device mistakes: a shallow copy that reaches fetch() is told as a stray pointer") {
    Sample sample;
    auto there = sample.device.copy(sample.atoms);
    double other = 0;
    sample.device.run(1, [a = there.get(), &other](std::size_t) { a->positions = &other; });
    try {
        there.fetch();
        FAIL("no exception");
    } catch (const ferry::DeviceError& e) {
        CHECK(e.problem() == ferry::DeviceProblem::StrayPointer);
        CHECK(std::string(e.what()).find("Atoms::ferry::arrayOf(positions, count)") != std::string::npos);
    }
}
