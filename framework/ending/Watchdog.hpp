#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace ferry {

/// Calls a function when something is not over in time.
///
/// Threads: arm() and disarm() on one thread; the function is called on another one, of the watchdog's own, and at most once.
class Watchdog {
public:
    Watchdog() = default;
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    ~Watchdog() { disarm(); }

    /// The function is called in so much time, unless disarm() comes first. Does nothing while it is armed.
    void arm(std::chrono::milliseconds time, std::function<void()> onOverdue);
    void disarm();

private:
    std::mutex mutex_;
    std::condition_variable isDisarmed_;
    bool isArmed_ = false;
    std::thread thread_;
};

}    // namespace ferry
