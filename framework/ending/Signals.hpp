#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace ferry {

/// Notices SIGHUP, SIGINT and SIGTERM while it lives, so that the job can stop in order. A second signal ends the process at once. SIGXFSZ
/// does not end it: a write beyond the limit of a file's size fails with an error.
///
/// A signal that the program handles or ignores itself is left alone. A child process that was forked is no part of the job: it ends by a
/// signal as if there were no handler. At most one object at a time; it belongs to the Application.
/// Threads: has one of its own, which only waits for a signal that nobody settles.
class Signals {
public:
    /// When a signal is not settled within the grace time, the function is called with it, from another thread than any rank's; isTaken:
    /// take() has handed it out.
    Signals(std::chrono::milliseconds grace, std::function<void(int signal, bool isTaken)> onUnsettled);
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;
    ~Signals();

    /// The signal that has arrived since the last call; 0 when none has. Safe from any thread; only one caller gets it.
    static int take() noexcept;

    /// Says that the job is stopping, so that nothing more needs to be done about a signal. Safe from any thread.
    static void settle() noexcept;

    /// "SIGINT" and so on.
    static std::string nameOf(int signal);

private:
    struct Previous {
        int signal;
        struct sigaction action;
    };

    void handle(int signal, void (*handler)(int));
    void guard();

    std::chrono::milliseconds grace_;
    std::function<void(int, bool)> onUnsettled_;
    std::vector<Previous> previous_;
    std::atomic<bool> isEnding_{false};
    std::thread guard_;
};

}    // namespace ferry
