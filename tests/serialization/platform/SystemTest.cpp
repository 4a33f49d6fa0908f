#include <ferry/serialization/platform/System.hpp>

#include <poll.h>
#include <unistd.h>
#include <algorithm>
#include <bit>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <doctest/doctest.h>

#include <ferry/serialization/file/FileDescriptor.hpp>

namespace platform = ferry::detail::platform;
using ferry::detail::FileDescriptor;

namespace {

bool isReadable(int file) {
    pollfd waited{file, POLLIN, 0};
    return ::poll(&waited, 1, 0) == 1;
}

}    // namespace

TEST_CASE("System: threads have different numbers") {
    std::uint64_t other = 0;
    std::thread([&other] { other = platform::threadNumber(); }).join();
    CHECK(other != platform::threadNumber());
    CHECK(platform::threadNumber() == platform::threadNumber());
}

TEST_CASE("System: the process may run on one processor at least") {
    const platform::Processors processors = platform::allowedProcessors();
    CHECK(std::any_of(processors.begin(), processors.end(), [](std::uint64_t each) { return std::popcount(each) > 0; }));
}

TEST_CASE("System: random bytes are not all the same") {
    std::array<std::byte, 32> bytes{};
    REQUIRE(platform::fillWithRandomBytes(bytes));
    CHECK(std::any_of(bytes.begin(), bytes.end(), [&](std::byte each) { return each != bytes[0]; }));
}

TEST_CASE("System: the start of a program has one number") { CHECK(platform::numberOfThisStart() == platform::numberOfThisStart()); }

TEST_CASE("System: the file of the program is known and can be run") { CHECK(::access(platform::programFile().c_str(), X_OK) == 0); }

TEST_CASE("System: a variable that is set later does not count as one of the start") {
    REQUIRE(::setenv("FERRY_TEST_OF_LATER", "1", 1) == 0);
    CHECK_FALSE(platform::wasStartedWith("FERRY_TEST_OF_LATER").value_or(false));
    CHECK(platform::wasStartedWith("PATH").value_or(true) == (std::getenv("PATH") != nullptr));
    ::unsetenv("FERRY_TEST_OF_LATER");
}

TEST_CASE("System: a bell is readable until it is silenced, however often it was rung") {
    const FileDescriptor bell(platform::makeBell());
    REQUIRE(bell.isOpen());
    CHECK_FALSE(isReadable(bell.number()));
    platform::ringBell(bell.number());
    platform::ringBell(bell.number());
    CHECK(isReadable(bell.number()));
    platform::silenceBell(bell.number());
    CHECK_FALSE(isReadable(bell.number()));
    platform::silenceBell(bell.number());    // does not wait
}

TEST_CASE("System: a signal that waits is taken once") {
    sigset_t signals;
    sigset_t before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &signals, &before);
    CHECK_FALSE(platform::takeWaitingSignal(signals));
    ::pthread_kill(::pthread_self(), SIGPIPE);
    CHECK(platform::takeWaitingSignal(signals));
    CHECK_FALSE(platform::takeWaitingSignal(signals));
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_CASE("System: shared memory is opened by its name and its size alone") {
    const FileDescriptor made(platform::makeSharedFile("ferry-test", 4096));
    if (!made.isOpen()) return;    // the system has none
    const auto open = [&](const char* name, std::size_t byteCount) {
        return FileDescriptor(platform::openSharedFile(::getpid(), made.number(), name, byteCount)).isOpen();
    };
    CHECK(open("ferry-test", 4096));
    CHECK_FALSE(open("ferry-other", 4096));
    CHECK_FALSE(open("ferry-test", 8192));
}

TEST_CASE("System: a process that lives runs") {
    CHECK(platform::stateOfProcess(::getpid()) == platform::ProcessState::Running);
    CHECK(platform::hostText() == platform::hostText());
}
