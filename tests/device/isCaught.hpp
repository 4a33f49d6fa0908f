#pragma once

#include <csignal>
#include <cstdio>

#include <sys/wait.h>
#include <unistd.h>

// Mistakes that end the process, for the tests of each kind of device.
namespace ferry::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr int Repeats = 10;
#else
inline constexpr int Repeats = 100;
#endif

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

}    // namespace ferry::test
