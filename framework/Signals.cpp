#include <ferry/framework/Signals.hpp>

#include <array>
#include <atomic>
#include <unistd.h>

#include <ferry/framework/ExitStatus.hpp>

namespace ferry {

namespace {

constexpr std::array noticedSignals = {SIGINT, SIGTERM};

// A signal handler can reach nothing but objects of static storage.
std::atomic<int> arrivedSignal{0};
std::atomic<int> arrivedCount{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may use lock-free atomics only");

void notice(int signal) {
    if (arrivedCount.fetch_add(1) > 0) _exit(exitStatus::signalBase + signal);
    arrivedSignal.store(signal);
}

} // namespace

Signals::Signals() {
    for (const int signal : noticedSignals) {
        Previous previous{signal, {}};
        if (sigaction(signal, nullptr, &previous.action) != 0 || previous.action.sa_handler != SIG_DFL) continue;
        struct sigaction action = {};
        action.sa_handler = notice;
        action.sa_flags = SA_RESTART;
        sigemptyset(&action.sa_mask);
        if (sigaction(signal, &action, nullptr) == 0) previous_.push_back(previous);
    }
}

Signals::~Signals() {
    for (const Previous& previous : previous_) sigaction(previous.signal, &previous.action, nullptr);
    arrivedSignal.store(0);
    arrivedCount.store(0);
}

int Signals::take() noexcept {
    if (arrivedSignal.load(std::memory_order_relaxed) == 0) return 0;
    return arrivedSignal.exchange(0);
}

std::string Signals::nameOf(int signal) {
    switch (signal) {
        case SIGINT: return "SIGINT";
        case SIGTERM: return "SIGTERM";
        default: return "signal " + std::to_string(signal);
    }
}

} // namespace ferry
