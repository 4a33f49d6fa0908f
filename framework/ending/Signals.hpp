#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace ferry::detail {

/// Notices SIGHUP, SIGINT and SIGTERM as long as the object lives, so that the job can stop in order. A second signal ends the process at
/// once. Two signals within 200 ms are one request, and the second is passed over, also after the object's end: timeout(1) sends two.
/// SIGXFSZ does not end the process: a write beyond the limit of a file's size fails with an error.
///
/// A signal that the program handles or ignores itself is left alone. The handler of UCX is no handler of the program. A forked child
/// process is no part of the job: a signal ends it as if there were no handler. At most one object at a time; it belongs to the Application.
/// Threads: the object has its own thread, which only waits for a signal that no rank settles.
class Signals {
public:
    /// onUnsettled is called with a signal that is not settled within the grace time, on a thread that is no rank's. isTaken: take() has
    /// returned the signal.
    Signals(std::chrono::milliseconds grace, std::function<void(int signal, bool isTaken)> onUnsettled);
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;
    ~Signals();

    /// Returns the signal that has arrived since the last call; 0: none. Safe from any thread; only one caller gets the signal.
    static int take() noexcept;

    /// Notes that the job is stopping, so that the signal needs no further action. Safe from any thread.
    static void settle() noexcept;

    /// Whether a signal works as at the start of the process, so that Ferry may handle it. So it is, too, where UCX handles the signal: that
    /// library, on which MPI libraries stand, switches its debug output on by SIGHUP. A user who sets UCX_DEBUG_SIGNO keeps that handler.
    static bool isFree(const struct sigaction& present);

    /// The name of a signal: "SIGINT" and so on.
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

}    // namespace ferry::detail
