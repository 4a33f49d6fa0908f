#include <vector>

#include <ferry/tests/device/Mistakes.hpp>

using namespace ferry::test;

// These mistakes stay within memory that the process may use. The address sanitizer sees them, so only its builds have this source.

TEST_CASE("Device mistakes: a kernel follows a pointer of the host") {
    checkCaught([] {
        Sample sample;
        auto there = sample.device.copy(sample.atoms);
        sample.device.run(1, [positions = sample.atoms.positions](std::size_t) { positions[0] = 2; });
    });
}

TEST_CASE("Device mistakes: a kernel follows a pointer of the host that it finds in a shallow copy") {
    checkCaught([] {
        Sample sample;
        auto there = sample.device.copy(sample.atoms);
        sample.device.run(1, [a = there.get(), shallow = sample.atoms](std::size_t) {
            *a = shallow;    // untranslated pointers
            a->positions[0] = 2;
        });
    });
}

TEST_CASE("Device mistakes: a kernel goes one element past the end of an array") {
    checkCaught([] {
        Sample sample;
        auto there = sample.device.copy(sample.atoms);
        sample.device.run(1, [a = there.get()](std::size_t) { a->positions[100] = 1; });
    });
}

TEST_CASE("Device mistakes: an array of the host is freed before update() or fetch()") {
    checkCaught([] {
        Sample sample;
        auto there = sample.device.copy(sample.atoms);
        std::vector<double>().swap(sample.positions);
        there.update();
    });
    checkCaught([] {
        Sample sample;
        auto there = sample.device.copy(sample.atoms);
        std::vector<double>().swap(sample.forces);
        there.fetch();
    });
}
