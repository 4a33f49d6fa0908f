#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace ferry::detail {

/// Calls a function when a deadline passes before disarm().
///
/// Threads: arm() and disarm() on one thread; the function is called at most once, on the watchdog's own thread.
class Watchdog {
public:
    Watchdog() = default;
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    ~Watchdog() { disarm(); }

    /// Calls the function after `time`, unless disarm() comes first. Does nothing while the watchdog is armed.
    void arm(std::chrono::milliseconds time, std::function<void()> onOverdue);
    void disarm();

private:
    std::mutex mutex_;
    std::condition_variable isDisarmed_;
    bool isArmed_ = false;
    std::thread thread_;
};

}    // namespace ferry::detail
