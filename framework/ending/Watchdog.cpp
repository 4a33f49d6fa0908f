#include <ferry/framework/ending/Watchdog.hpp>

#include <utility>

#include <ferry/framework/ending/deafThread.hpp>

namespace ferry::detail {

void Watchdog::arm(std::chrono::milliseconds time, std::function<void()> onOverdue) {
    if (thread_.joinable()) return;
    isArmed_ = true;
    thread_ = deafThread([this, time, onOverdue = std::move(onOverdue)] {
        std::unique_lock lock(mutex_);
        if (!isDisarmed_.wait_for(lock, time, [this] { return !isArmed_; })) onOverdue();
    });
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

}    // namespace ferry::detail
