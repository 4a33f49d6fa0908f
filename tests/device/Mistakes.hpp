#pragma once

#include <csignal>
#include <cstdio>
#include <vector>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ferry/device.hpp>
#include <ferry/tests/device/Atoms.hpp>

// Mistakes of programs that would pass unseen on a host that pretends to be a device. Each ends the process where the mistake is made.
namespace ferry::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr int Repeats = 10;
#else
inline constexpr int Repeats = 100;
#endif

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

inline volatile double sink = 0;

}    // namespace ferry::test
