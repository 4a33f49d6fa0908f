#include <ferry/serialization/file/QuietSignals.hpp>

#include <cerrno>
#include <initializer_list>

#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

namespace {

sigset_t signalsOfWrites() noexcept {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    sigaddset(&signals, SIGPIPE);
    return signals;
}

}    // namespace

QuietSignals::QuietSignals() noexcept {
    const sigset_t signals = signalsOfWrites();
    ::pthread_sigmask(SIG_BLOCK, &signals, &before_);
}

QuietSignals::~QuietSignals() {
    const int savedError = errno;
    if (hasSignal_) {
        sigset_t own = signalsOfWrites();
        // A signal that the thread had blocked before is kept for it.
        for (const int signal : {SIGXFSZ, SIGPIPE}) {
            if (sigismember(&before_, signal) == 1) sigdelset(&own, signal);
        }
        while (platform::takeWaitingSignal(own)) {}
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = savedError;
}

bool QuietSignals::isWithSignal(int errorNumber) noexcept { return errorNumber == EFBIG || errorNumber == EPIPE; }

}    // namespace ferry::detail
