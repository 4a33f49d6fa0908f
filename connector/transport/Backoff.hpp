#pragma once

#include <chrono>

#include <ferry/connector/transport/Transport.hpp>

namespace ferry {

/// How a rank waits: it spins for a few microseconds, then lets other processes run, then rests for growing times. So an exchange
/// in full swing is not slowed, and a rank that waits for long costs next to nothing.
///
/// Make one for each wait; call pause() whenever polling found nothing and reset() when it found something. In virtual time it rests at
/// once.
class Backoff {
public:
    using Clock = Transport::Clock;

    /// Waits a moment in the way that suits the time waited so far. The deadline is that of the whole wait, which is looked at by the
    /// caller.
    void pause(Transport& transport, Clock::time_point deadline = Clock::time_point::max());

    void reset() noexcept { pauseCount_ = 0; }

    /// True once the wait has left the spinning stage; rare checks are made from then on.
    bool isResting() const noexcept { return pauseCount_ > spinPauses; }

private:
    static constexpr unsigned spinPauses = 200;

    unsigned pauseCount_ = 0;
    Clock::time_point start_{};
};

}    // namespace ferry
