#include <ferry/guard/preload/EndSignals.hpp>

#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>

#include <fmt/format.h>

#include <ferry/framework/ending/Signals.hpp>
#include <ferry/guard/known/CallRing.hpp>
#include <ferry/guard/known/endSignal.hpp>

namespace ferry::detail {

namespace {

struct Request {
    int number;
    const char* name;
    bool isOwn = false;
    struct sigaction before {};
};

std::array<Request, 3>& requestsToEnd() noexcept {
    static std::array<Request, 3> all{Request{SIGINT, "SIGINT"}, Request{SIGTERM, "SIGTERM"}, Request{SIGHUP, "SIGHUP"}};
    return all;
}

constexpr std::int64_t sameRequestMs = 200;    // two signals within this time are one request
constexpr auto timeToBeTaken = std::chrono::milliseconds(2000);
constexpr auto lookForTaking = std::chrono::milliseconds(5);
constexpr std::size_t mostLaunchers = 16;

std::atomic<pid_t> processToEnd{0};
std::atomic<std::int64_t> firstRequestMs{0};    // 0: none yet
std::array<std::atomic<pid_t>, mostLaunchers> launchers{};
int rankToEnd = -1;
void (*wakeGuard)() noexcept = nullptr;

std::int64_t nowMs() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000 + 1;
}

/// Lets the signal work as without Ferry, when the handler returns.
void endNow(int number) noexcept {
    ::signal(number, SIG_DFL);
    ::raise(number);
}

/// Calls the handler that the signal had before, which is Python's. Returns whether there is one.
bool callHandlerBefore(int number, siginfo_t* information, void* context) {
    for (const Request& one : requestsToEnd()) {
        if (one.number != number || one.before.sa_handler == SIG_DFL) continue;
        (one.before.sa_flags & SA_SIGINFO) != 0 ? one.before.sa_sigaction(number, information, context) : one.before.sa_handler(number);
        return true;
    }
    return false;
}

/// Whether a signal comes from this process, or from the launcher.
bool isOfJob(const siginfo_t* information) noexcept {
    if (information == nullptr || information->si_code > 0) return false;    // the kernel's, such as that of a terminal
    const pid_t sender = information->si_pid;
    return sender == ::getpid() ||
           (sender != 0 && std::any_of(launchers.begin(), launchers.end(), [&](const auto& one) { return one == sender; }));
}

void takeRequest(int number, siginfo_t* information, void* context) {
    const int error = errno;
    if (::getpid() != processToEnd || isOfJob(information)) {    // a forked child is no rank
        if (!callHandlerBefore(number, information, context)) endNow(number);
        errno = error;
        return;
    }
    std::int64_t first = 0;
    const std::int64_t now = nowMs();
    if (firstRequestMs.compare_exchange_strong(first, now)) {
        const std::uint64_t progress = pmpi::CallRing::ofProcess().progress();
        if (callHandlerBefore(number, information, context))
            pmpi::endSignalProgress = progress;    // it notes the signal for the interpreter
        pmpi::endSignal = number;
        wakeGuard();
    } else if (now - first >= sameRequestMs) {
        endNow(number);
    }
    errno = error;
}

std::string lineOf(pid_t number, const char* file) {
    std::ifstream stream(fmt::format("/proc/{}/{}", number, file));
    std::string text;
    std::getline(stream, text, '\0');
    std::string second;
    std::getline(stream, second, '\0');
    std::string third;
    std::getline(stream, third, '\0');
    return text + ' ' + second + ' ' + third;
}

/// Notes the processes that have started this one, up to `ferry run`: signals of theirs are no request of the user.
void noteLaunchers() {
    pid_t ancestor = ::getppid();
    for (auto& launcher : launchers) {
        if (ancestor <= 1 || lineOf(ancestor, "cmdline").find("ferryrun") != std::string::npos) break;
        launcher = ancestor;
        const std::string stat = lineOf(ancestor, "stat");
        const std::size_t name = stat.rfind(')');
        if (name == std::string::npos || std::sscanf(stat.c_str() + name + 1, " %*c %d", &ancestor) != 1) break;
    }
}

}    // namespace

void EndSignals::install(int rank, bool takesPython, void (*wake)() noexcept) noexcept {
    processToEnd = ::getpid();
    rankToEnd = rank;
    wakeGuard = wake;
    noteLaunchers();
    for (Request& one : requestsToEnd()) {
        struct sigaction own {};
        own.sa_sigaction = takeRequest;
        own.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
        ::sigemptyset(&own.sa_mask);
        if (::sigaction(one.number, nullptr, &one.before) != 0) continue;
        const bool isFree = Signals::isFree(one.before);
        if (isFree) one.before = {};    // not the handler of a library, which the signal would reach otherwise
        if (!isFree && !(takesPython && one.number == SIGINT)) continue;
        own.sa_flags |= isFree ? 0 : one.before.sa_flags & ~SA_RESTART;
        if (!isFree) own.sa_flags &= ~SA_RESTART;    // Python begins its calls again by itself
        one.isOwn = ::sigaction(one.number, &own, nullptr) == 0;
    }
}

void EndSignals::awaitTaken() noexcept {
    if (pmpi::endSignal == 0) return;
    const auto end = std::chrono::steady_clock::now() + timeToBeTaken;
    while (pmpi::endSignal != 0 && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(lookForTaking);
    const int number = pmpi::endSignal.exchange(0);
    if (number == 0 || pmpi::endSignalProgress != 0) return;    // the interpreter ends the program
    const std::string text =
        fmt::format("ferry: rank {} is ended by signal {} ({}): it has come to no call of MPI that can end within {} ms\n", rankToEnd,
                    number, nameOf(number), timeToBeTaken.count());
    std::fputs(text.c_str(), stderr);
    ::signal(number, SIG_DFL);
    ::kill(::getpid(), number);
}

void EndSignals::stop() noexcept {
    pmpi::endSignal = 0;
    if (firstRequestMs != 0 || ::getpid() != processToEnd) return;
    for (Request& one : requestsToEnd()) {
        struct sigaction present {};
        const bool isThere = one.isOwn && ::sigaction(one.number, nullptr, &present) == 0 && (present.sa_flags & SA_SIGINFO) != 0;
        if (isThere && present.sa_sigaction == takeRequest) ::sigaction(one.number, &one.before, nullptr);
        one.isOwn = false;
    }
}

const char* EndSignals::nameOf(int signal) noexcept {
    for (const Request& one : requestsToEnd()) {
        if (one.number == signal) return one.name;
    }
    return "a signal";
}

}    // namespace ferry::detail
