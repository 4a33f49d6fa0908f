#include <ferry/framework/ending/Signals.hpp>

#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <utility>

#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/ending/deafThread.hpp>
#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

namespace {

constexpr std::array noticedSignals = {SIGHUP, SIGINT, SIGTERM};

// A signal handler can use only objects with static storage.
std::atomic<int> arrivedSignal{0};              // until a rank takes it
std::atomic<int> unsettledSignal{0};            // until the job stops
std::atomic<std::int64_t> firstArrivalMs{0};    // 0: none yet
std::atomic<pid_t> ownProcess{0};               // a forked child has the handler, but neither ranks nor the guard
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free,
              "a signal handler may use lock-free atomics only");

// One request to stop may come as two signals: timeout(1) and some launchers signal the process and then its whole group.
constexpr std::int64_t sameWishMs = 200;

std::int64_t monotonicMs() {
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

void notice(int signal) {
    if (getpid() != ownProcess.load()) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);    // takes effect when the handler returns
        return;
    }
    const int savedError = errno;
    const std::int64_t now = monotonicMs();
    std::int64_t first = 0;
    if (!firstArrivalMs.compare_exchange_strong(first, now)) {
        if (now - first >= sameWishMs) _exit(exitStatus::signalBase + signal);
        errno = savedError;
        return;
    }
    unsettledSignal.store(signal);
    arrivedSignal.store(signal);
    platform::noteArrival();
    errno = savedError;
}

/// Takes the place of the default action when the object has ended: the second signal of the same request may still be on its way.
void passOverSecond(int signal) {
    if (getpid() == ownProcess.load() && monotonicMs() - firstArrivalMs.load() < sameWishMs) return;
    std::signal(signal, SIG_DFL);
    std::raise(signal);    // takes effect when the handler returns
}

bool isOfUcx(const struct sigaction& present) {
    const auto address = reinterpret_cast<std::uintptr_t>(present.sa_handler);
    const std::optional<platform::LoadedFile> file = platform::loadedFileAt(address);
    return file && file->path.substr(file->path.rfind('/') + 1).starts_with("libucs");
}

/// Does nothing, so that write() reports EFBIG. An ignored signal would be inherited by a program that exec starts; a handler is not.
void passOver(int) {}

}    // namespace

Signals::Signals(std::chrono::milliseconds grace, std::function<void(int, bool)> onUnsettled)
    : grace_(grace),
      onUnsettled_(std::move(onUnsettled)) {
    platform::beginArrivals();
    ownProcess.store(getpid());
    firstArrivalMs.store(0);
    guard_ = deafThread([this] { guard(); });
    previous_.reserve(noticedSignals.size() + 1);
    for (const int signal : noticedSignals) handle(signal, notice);
    handle(SIGXFSZ, passOver);
}

/// Installs the handler, unless the program handles the signal itself.
void Signals::handle(int signal, void (*handler)(int)) {
    Previous previous{signal, {}};
    if (sigaction(signal, nullptr, &previous.action) != 0) return;
    if (previous.action.sa_handler == passOverSecond) previous.action.sa_handler = SIG_DFL;
    if (!isFree(previous.action)) return;
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (sigaction(signal, &action, nullptr) == 0) previous_.push_back(previous);
}

Signals::~Signals() {
    if (getpid() != ownProcess.load()) {    // the guard runs in the parent only
        guard_.detach();
        return;
    }
    for (Previous& previous : previous_) {
        if (firstArrivalMs.load() != 0 && previous.signal != SIGXFSZ) previous.action.sa_handler = passOverSecond;
        sigaction(previous.signal, &previous.action, nullptr);
    }
    isEnding_ = true;
    platform::noteArrival();
    guard_.join();
    platform::endArrivals();
    arrivedSignal.store(0);
    unsettledSignal.store(0);
}

void Signals::guard() {
    for (;;) {
        platform::awaitArrival(std::nullopt);
        if (isEnding_) return;
        platform::awaitArrival(grace_);
        if (isEnding_) return;
        if (const int signal = unsettledSignal.load()) onUnsettled_(signal, arrivedSignal.load() == 0);
    }
}

int Signals::take() noexcept {
    if (arrivedSignal.load(std::memory_order_relaxed) == 0) return 0;
    return arrivedSignal.exchange(0);
}

void Signals::settle() noexcept { unsettledSignal.store(0); }

bool Signals::isFree(const struct sigaction& present) {
    if (present.sa_handler == SIG_DFL) return true;
    return present.sa_handler != SIG_IGN && std::getenv("UCX_DEBUG_SIGNO") == nullptr && isOfUcx(present);
}

std::string Signals::nameOf(int signal) {
    switch (signal) {
        case SIGHUP: return "SIGHUP";
        case SIGINT: return "SIGINT";
        case SIGTERM: return "SIGTERM";
        default: return "signal " + std::to_string(signal);
    }
}

}    // namespace ferry::detail
