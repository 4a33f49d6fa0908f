#include <ferry/framework/Watchdog.hpp>

#include <csignal>
#include <utility>

namespace ferry {

void Watchdog::arm(std::chrono::milliseconds time, std::function<void()> onOverdue) {
    if (thread_.joinable()) return;
    isArmed_ = true;
    // Signals are for the ranks.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this, time, onOverdue = std::move(onOverdue)] {
        std::unique_lock lock(mutex_);
        if (!isDisarmed_.wait_for(lock, time, [this] { return !isArmed_; })) onOverdue();
    });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Watchdog::disarm() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        isArmed_ = false;
    }
    isDisarmed_.notify_all();
    thread_.join();
}

}    // namespace ferry
