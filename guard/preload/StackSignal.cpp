#include <ferry/guard/preload/StackSignal.hpp>

#include <execinfo.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>

#include <fmt/format.h>

namespace ferry::detail {

namespace {

using StackClock = std::chrono::steady_clock;

constexpr auto timeForStack = std::chrono::milliseconds(500);    // in which the handler takes the stack
constexpr auto stackLook = std::chrono::milliseconds(2);

/// The system call in which a thread waits, as the system tells it.
struct SystemCall {
    long number = -1;    ///< -1: the thread runs
    std::array<std::uint64_t, 6> arguments{};
    std::uint64_t stackPointer = 0;
    std::uint64_t instruction = 0;
};

/// The data that the handler uses. Set before the signal is sent, and never destroyed.
struct StackOrder {
    pid_t process = 0;
    pid_t threadId = 0;
    pthread_t thread{};    // of the program
    void (*also)() noexcept = nullptr;
    int signal = 0;    // 0: none is chosen
    SystemCall waitsIn{};
    std::atomic<bool> isWanted{false};
    std::atomic<int> count{-1};    // -1: not taken yet
    std::array<void*, 64> addresses{};
};

StackOrder& stackOrder() noexcept {
    static StackOrder& all = *new StackOrder;
    return all;
}

#if defined(__x86_64__)

constexpr bool canBeginAgain = true;

/// Lets the thread begin its system call again, if the signal has ended it. Without that, a sleep() of the program would end early.
void beginAgain(void* context) noexcept {
    auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const SystemCall& call = stackOrder().waitsIn;
    const std::array<greg_t, 6> arguments{registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                                          registers[REG_R10], registers[REG_R8],  registers[REG_R9]};
    bool isSame = call.number >= 0 && registers[REG_RAX] == -EINTR && static_cast<std::uint64_t>(registers[REG_RSP]) == call.stackPointer &&
                  static_cast<std::uint64_t>(registers[REG_RIP]) == call.instruction;
    for (std::size_t i = 0; i < arguments.size(); ++i) isSame = isSame && static_cast<std::uint64_t>(arguments[i]) == call.arguments[i];
    if (!isSame || call.number == SYS_connect || call.number == SYS_close) return;    // these two calls cannot be repeated
    // A sleep has written the time that is left where its caller wants that.
    if (call.number == SYS_nanosleep && arguments[1] != 0) registers[REG_RDI] = arguments[1];
    if (call.number == SYS_clock_nanosleep && (arguments[1] & TIMER_ABSTIME) == 0 && arguments[3] != 0) registers[REG_RDX] = arguments[3];
    constexpr int instructionBytes = 2;    // of `syscall`
    registers[REG_RIP] -= instructionBytes;
    registers[REG_RAX] = call.number;
}

#else

constexpr bool canBeginAgain = false;

void beginAgain(void* /*context*/) noexcept {}

#endif

void handleStackSignal(int number, siginfo_t* information, void* context) {
    const int error = errno;
    StackOrder& all = stackOrder();
    const bool isOwn = information != nullptr && information->si_code == SI_QUEUE && information->si_value.sival_ptr == &all;
    if (isOwn && ::getpid() == all.process) {
        if (all.isWanted.exchange(false)) {
            const int count = ::backtrace(all.addresses.data(), static_cast<int>(all.addresses.size()));
            if (all.also != nullptr) all.also();
            all.count = count;
        }
        beginAgain(context);
    } else {    // a signal of the program, which has no handler for it
        ::signal(number, SIG_DFL);
        ::raise(number);
    }
    errno = error;
}

bool isStackSignal(int number) noexcept {
    struct sigaction present {};
    return number != 0 && ::sigaction(number, nullptr, &present) == 0 && (present.sa_flags & SA_SIGINFO) != 0 &&
           present.sa_sigaction == handleStackSignal;
}

/// Chooses a signal that the program does not use. Returns whether there is one. The program may have begun to use the present one.
bool chooseSignal() noexcept {
    StackOrder& all = stackOrder();
    if (isStackSignal(all.signal)) return true;
    for (int number = SIGRTMAX - 1; number > SIGRTMIN; --number) {
        struct sigaction before {};
        if (::sigaction(number, nullptr, &before) != 0 || (before.sa_flags & SA_SIGINFO) != 0 || before.sa_handler != SIG_DFL) continue;
        struct sigaction own {};
        own.sa_sigaction = handleStackSignal;
        own.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
        ::sigfillset(&own.sa_mask);    // a signal of the program comes before the system call begins again, as before a call
        for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) ::sigdelset(&own.sa_mask, fault);
        if (::sigaction(number, &own, nullptr) != 0) continue;
        all.signal = number;
        return true;
    }
    return false;
}

/// The text of a file about the program's thread; empty: it cannot be read.
std::string fileOfThread(const char* name) {
    std::ifstream file(fmt::format("/proc/self/task/{}/{}", stackOrder().threadId, name));
    std::string text;
    std::getline(file, text, '\0');
    return text;
}

/// Whether the thread holds the signal back. The signal would then come at a later time.
bool isHeldBack() {
    const std::string text = fileOfThread("status");
    const std::size_t at = text.find("SigBlk:");
    if (at == text.npos) return true;
    return (std::strtoull(text.c_str() + at + std::strlen("SigBlk:"), nullptr, 16) >> (stackOrder().signal - 1) & 1U) != 0;
}

/// Notes the system call in which the thread waits. Returns whether the thread may get the signal.
bool noteSystemCall() {
    SystemCall& call = stackOrder().waitsIn;
    call = {};
    const std::string text = fileOfThread("syscall");
    if (text.starts_with("running")) return true;
    std::array<unsigned long long, 8> values{};
    long number = -1;
    if (std::sscanf(text.c_str(), "%ld %llx %llx %llx %llx %llx %llx %llx %llx", &number, &values[0], &values[1], &values[2], &values[3],
                    &values[4], &values[5], &values[6], &values[7]) != 9)
        return number == -1 && !text.empty();    // stopped outside of a system call
    std::copy_n(values.begin(), call.arguments.size(), call.arguments.begin());
    call.stackPointer = values[6];
    call.instruction = values[7];
    call.number = number;
    return canBeginAgain;
}

}    // namespace

void StackSignal::begin(void (*also)() noexcept) {
    StackOrder& all = stackOrder();
    all.process = ::getpid();
    all.threadId = static_cast<pid_t>(::syscall(SYS_gettid));
    all.thread = ::pthread_self();
    all.also = also;
    std::array<void*, 1> frame{};
    ::backtrace(frame.data(), 1);    // loads what the handler needs
    chooseSignal();
}

std::span<void* const> StackSignal::take() {
    StackOrder& all = stackOrder();
    if (!chooseSignal() || isHeldBack() || !noteSystemCall()) return {};
    all.count = -1;
    all.isWanted = true;
    sigval value{};
    value.sival_ptr = &all;
    if (::pthread_sigqueue(all.thread, all.signal, value) != 0) return {};
    const auto end = StackClock::now() + timeForStack;
    while (all.count < 0 && StackClock::now() < end) std::this_thread::sleep_for(stackLook);
    if (all.isWanted.exchange(false)) return {};
    const int count = all.count;
    return count < 0 ? std::span<void* const>{} : std::span<void* const>{all.addresses.data(), static_cast<std::size_t>(count)};
}

}    // namespace ferry::detail
