#pragma once

#include <csignal>

namespace ferry {

/// While it lives, a write of this thread fails with an error where a signal would end the process without a word: over the limit of a
/// file's size (SIGXFSZ, error EFBIG), and into a pipe that nobody reads (SIGPIPE, error EPIPE).
///
/// Threads: made and destroyed by the thread that writes. It keeps errno.
class QuietSignals {
public:
    QuietSignals() noexcept;
    ~QuietSignals();
    QuietSignals(const QuietSignals&) = delete;
    QuietSignals& operator=(const QuietSignals&) = delete;

    /// A write has failed with this errno: its signal, which waits now, is taken away.
    void noteError(int errorNumber) noexcept { hasSignal_ = hasSignal_ || isWithSignal(errorNumber); }

private:
    static bool isWithSignal(int errorNumber) noexcept;

    sigset_t before_;
    bool hasSignal_ = false;
};

}    // namespace ferry
