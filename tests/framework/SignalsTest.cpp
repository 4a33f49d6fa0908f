#include <doctest/doctest.h>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <thread>

#include <ferry/framework/ending/Signals.hpp>
#include <ferry/tests/support/FileBytes.hpp>

namespace ferry::detail {

namespace {

using namespace std::chrono_literals;

/// How a child process ended that runs the function: its status, or minus the signal that killed it.
int endOfChild(const std::function<void()>& program) {
    const pid_t child = fork();
    if (child == 0) {
        for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);    // not those of the test program
        program();
        _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

void getSignalIn(std::chrono::milliseconds grace) {
    const Signals signals(grace, [](int, bool) {});
    std::raise(SIGTERM);
    if (Signals::take() != SIGTERM) _exit(1);
    Signals::settle();
}

}    // namespace

TEST_CASE("Signals: the handler of UCX gives way, but for a user who asks for its debug output") {
    const auto getHangUp = [](const char* number) {
        ::unsetenv("UCX_DEBUG_SIGNO");
        if (number != nullptr) ::setenv("UCX_DEBUG_SIGNO", number, 1);
        void* const library = ::dlopen(test::besideProgram("libucs_standIn.so").c_str(), RTLD_NOW);
        if (library == nullptr) _exit(2);
        std::signal(SIGHUP, reinterpret_cast<void (*)(int)>(::dlsym(library, "switchDebugOutputOn")));
        const Signals signals(10s, [](int, bool) {});
        std::raise(SIGHUP);
        if (Signals::take() != SIGHUP) _exit(1);
        Signals::settle();
    };
    CHECK(endOfChild([&] { getHangUp(nullptr); }) == 0);
    CHECK(endOfChild([&] { getHangUp("1"); }) == 1);
}

TEST_CASE("Signals: the second signal of one request may come after the object's end") {
    CHECK(endOfChild([] {
              getSignalIn(10s);
              std::raise(SIGTERM);
          }) == 0);
}

TEST_CASE("Signals: a later signal after the object's end kills the process") {
    CHECK(endOfChild([] {
              getSignalIn(10s);
              std::this_thread::sleep_for(300ms);    // longer than the time in which two signals are one request
              std::raise(SIGTERM);
          }) == -SIGTERM);
    CHECK(endOfChild([] {
              {
                  const Signals unused(10s, [](int, bool) {});
              }
              std::raise(SIGINT);
          }) == -SIGINT);
}

TEST_CASE("Signals: an object that follows another gets its signals") {
    CHECK(endOfChild([] {
              getSignalIn(10s);
              getSignalIn(10s);
          }) == 0);
}

}    // namespace ferry::detail
