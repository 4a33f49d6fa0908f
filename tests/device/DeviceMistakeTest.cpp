#include <csignal>
#include <cstdio>
#include <memory>
#include <vector>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ferry/device.hpp>

// Mistakes of programs that would pass unseen on a host that pretends to be a device. Each ends the process where the mistake is made.

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool hasAddressSanitizer = true;
constexpr int Repeats = 10;
#else
constexpr bool hasAddressSanitizer = false;
constexpr int Repeats = 100;
#endif

struct Atoms {
    int count = 0;
    double* positions = nullptr;
    double* forces = nullptr;
    FERRY_FIELDS(ferry::arrayOf(positions, count), ferry::arrayOf(forces, count))
};
using Positions = ferry::View<ferry::counted<ferry::CountedBy<&Atoms::count>, ferry::ArrayAt<&Atoms::positions>>>;

struct Sample {
    std::vector<double> positions = std::vector<double>(100, 1);
    std::vector<double> forces = std::vector<double>(100, 1);
    Atoms atoms{100, positions.data(), forces.data()};
    ferry::Device device = ferry::Device::host({.threads = 1});
};

/// Whether the process that makes the mistake dies of it.
template <class Mistake>
bool isCaught(Mistake mistake) {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        for (const int number : {SIGSEGV, SIGBUS, SIGABRT}) std::signal(number, SIG_DFL);
        if (std::freopen("/dev/null", "w", stderr) == nullptr || std::freopen("/dev/null", "w", stdout) == nullptr) ::_exit(0);
        mistake();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

template <class Mistake>
void checkCaught(Mistake mistake) {
    int caught = 0;
    for (int i = 0; i < Repeats; ++i) caught += isCaught(mistake) ? 1 : 0;
    CHECK(caught == Repeats);
}

volatile double sink = 0;

}    // namespace

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
        auto there = sample.device.copy(ferry::part<Positions>(sample.atoms));
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

// The following mistakes stay within memory that the process may use. The address sanitizer sees them.

TEST_CASE("Device mistakes: a kernel follows a pointer of the host" * doctest::skip(!hasAddressSanitizer)) {
    checkCaught([] {
        Sample sample;
        auto there = sample.device.copy(sample.atoms);
        sample.device.run(1, [positions = sample.atoms.positions](std::size_t) { positions[0] = 2; });
    });
}

TEST_CASE("Device mistakes: a kernel follows a pointer of the host that it finds in a shallow copy" * doctest::skip(!hasAddressSanitizer)) {
    checkCaught([] {
        Sample sample;
        auto there = sample.device.copy(sample.atoms);
        sample.device.run(1, [a = there.get(), shallow = sample.atoms](std::size_t) {
            *a = shallow;    // untranslated pointers
            a->positions[0] = 2;
        });
    });
}

TEST_CASE("Device mistakes: a kernel goes one element past the end of an array" * doctest::skip(!hasAddressSanitizer)) {
    checkCaught([] {
        Sample sample;
        auto there = sample.device.copy(sample.atoms);
        sample.device.run(1, [a = there.get()](std::size_t) { a->positions[100] = 1; });
    });
}

TEST_CASE("Device mistakes: an array of the host is freed before update() or fetch()" * doctest::skip(!hasAddressSanitizer)) {
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
