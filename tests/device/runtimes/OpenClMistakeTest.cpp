#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <vector>

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ferry/device.hpp>
#include <ferry/tests/device/Atoms.hpp>
#include <ferry/tests/device/isCaught.hpp>

// Mistakes of programs on OpenCL. The OpenCL of the tests uses memory of the host, so that kernels could follow pointers of the host
// unseen. Here the arrays of the host lie in pages of their own, which are forbidden while kernels run.
//
// PoCL cannot catch three mistakes, which the host device catches: the host follows a device pointer, a kernel goes past the end of a copy,
// a kernel uses a copy that has ended. All of that memory is memory of the process.

namespace {

using ferry::test::Atoms;
using ferry::test::isCaught;
using ferry::test::PositionsOfAtoms;
using ferry::test::Repeats;

constexpr int Count = 100;

/// Numbers in pages of their own.
class Pages {
public:
    static constexpr std::size_t Bytes = 4096;
    static_assert(Count * sizeof(double) <= Bytes);

    Pages() : memory_(::mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
        for (int i = 0; i < Count; ++i) get()[i] = 1;
    }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    ~Pages() { ::munmap(memory_, Bytes); }

    double* get() const { return static_cast<double*>(memory_); }
    void setForbidden(bool isForbidden) { ::mprotect(memory_, Bytes, isForbidden ? PROT_NONE : PROT_READ | PROT_WRITE); }

private:
    void* memory_;
};

/// An object that hides a pointer in a number, which nothing translates.
struct Hidden {
    std::uint64_t positions = 0;
    FERRY_FIELDS(positions)
};

struct Sample {
    Pages positions;
    Pages forces;
    Atoms atoms{Count, positions.get(), forces.get()};
    Hidden hidden{reinterpret_cast<std::uint64_t>(positions.get())};
    ferry::Device device = ferry::Device::openCl();
    ferry::DeviceProgram program = device.program<Atoms, Hidden>(R"(
        kernel void add(global Atoms* atoms) {
            const size_t i = get_global_id(0);
            atoms->positions[i] += atoms->forces[i];
        }
        kernel void takeHost(global Atoms* atoms, ulong host) { atoms->positions = (global double*)host; }
        kernel void followHidden(global Hidden* hidden) { ((global double*)hidden->positions)[0] += 1; }
        kernel void leaveStray(global Atoms* atoms) { atoms->positions += 1000000; })");

    /// Launches kernels and waits for them. The numbers of the host are forbidden meanwhile.
    template <class Launches>
    void runKernels(Launches launches) {
        positions.setForbidden(true);
        forces.setForbidden(true);
        launches();
        device.wait();
        positions.setForbidden(false);
        forces.setForbidden(false);
    }
    void addRightly() {
        auto there = device.copy(atoms);
        runKernels([&] { program.launch("add", {Count}, there); });
        there.fetch();
    }
};

std::size_t threadsOfProcess() {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}));
}

/// The numbers of deaths of each mistake, from a process with an OpenCL of one thread: a process with more threads cannot be doubled.
struct Deaths {
    int threads = 0;
    int right = 0;
    int shallow = 0;
    int hidden = 0;
    int leftOut = 0;
    int freed = 0;
};

Deaths countDeaths() {
    Deaths deaths;
    Sample sample;
    sample.addRightly();
    deaths.threads = static_cast<int>(threadsOfProcess());
    if (deaths.threads != 1) return deaths;
    const auto times = [](const std::function<void()>& call) {
        int count = 0;
        for (int i = 0; i < Repeats; ++i) count += isCaught(call) ? 1 : 0;
        return count;
    };
    deaths.right = times([&] { sample.addRightly(); });
    deaths.shallow = times([&] {
        auto there = sample.device.copy(sample.atoms);
        sample.runKernels([&] {
            sample.program.launch("takeHost", {1}, there, reinterpret_cast<std::uint64_t>(sample.positions.get()));
            sample.program.launch("add", {Count}, there);
        });
    });
    deaths.hidden = times([&] {
        auto there = sample.device.copy(sample.hidden);
        sample.runKernels([&] { sample.program.launch("followHidden", {1}, there); });
    });
    deaths.leftOut = times([&] {
        auto there = sample.device.copy(ferry::part<PositionsOfAtoms>(sample.atoms));
        sample.runKernels([&] { sample.program.launch("add", {Count}, there); });
    });
    deaths.freed = times([&] {
        auto freed = std::make_unique<Pages>();
        sample.atoms.forces = freed->get();
        auto there = sample.device.copy(sample.atoms);
        freed.reset();
        there.fetch();
    });
    return deaths;
}

Deaths deathsInAnotherProcess() {
    Deaths deaths;
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::setenv("POCL_DEVICES", "basic", 1);    // runs kernels in the thread that waits
        const Deaths counted = countDeaths();
        const bool isWritten = ::write(ends[1], &counted, sizeof counted) == static_cast<ssize_t>(sizeof counted);
        ::_exit(isWritten ? 0 : 1);
    }
    ::close(ends[1]);
    const bool isRead = ::read(ends[0], &deaths, sizeof deaths) == static_cast<ssize_t>(sizeof deaths);
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(isRead);
    CHECK(status == 0);
    return deaths;
}

template <class Call>
int stray(Call call) {
    int told = 0;
    for (int i = 0; i < Repeats; ++i) {
        try {
            call();
        } catch (const ferry::DeviceError& e) {
            told += e.problem() == ferry::DeviceProblem::StrayPointer || e.problem() == ferry::DeviceProblem::NotCopied ? 1 : 0;
        }
    }
    return told;
}

}    // namespace

// The first case of its program, before OpenCL has threads.
TEST_CASE("Device mistakes on OpenCL: a pointer of the host, a hidden one, a left-out member and a freed array end the process") {
    const Deaths deaths = deathsInAnotherProcess();
    REQUIRE(deaths.threads == 1);
    CHECK(deaths.right == 0);
    CHECK(deaths.shallow == Repeats);
    CHECK(deaths.hidden == Repeats);
    CHECK(deaths.leftOut == Repeats);
    CHECK(deaths.freed == Repeats);
}

TEST_CASE("Device mistakes on OpenCL: a shallow pointer, one out of range, and one of the host as an argument are told") {
    Sample sample;
    sample.addRightly();
    CHECK(sample.positions.get()[Count - 1] == 2);
    CHECK(stray([&] {
              auto there = sample.device.copy(sample.atoms);
              sample.program.launch("takeHost", {1}, there, reinterpret_cast<std::uint64_t>(sample.forces.get()));
              there.fetch();
          }) == Repeats);
    CHECK(stray([&] {
              auto there = sample.device.copy(sample.atoms);
              sample.program.launch("leaveStray", {1}, there);
              there.fetch();
          }) == Repeats);
    CHECK(stray([&] { sample.program.launch("add", {Count}, &sample.atoms); }) == Repeats);
    CHECK(sample.atoms.positions == sample.positions.get());
}
