#pragma once

#include <csignal>

namespace ferry::detail {

/// During its lifetime, failed writes of this thread return an error. Otherwise a signal would silently end the process: SIGXFSZ (error
/// EFBIG) above the limit of a file's size, and SIGPIPE (error EPIPE) for a pipe without a reader.
///
/// Threads: made and destroyed by the thread that writes. Preserves errno.
class QuietSignals {
public:
    QuietSignals() noexcept;
    ~QuietSignals();
    QuietSignals(const QuietSignals&) = delete;
    QuietSignals& operator=(const QuietSignals&) = delete;

    /// To be called when a write has failed with this errno. The destructor then removes the pending signal.
    void noteError(int errorNumber) noexcept { hasSignal_ = hasSignal_ || isWithSignal(errorNumber); }

private:
    static bool isWithSignal(int errorNumber) noexcept;

    sigset_t before_;
    bool hasSignal_ = false;
};

}    // namespace ferry::detail
