#pragma once

#include <chrono>

#include <ferry/connector/transport/Transport.hpp>

namespace ferry::detail {

/// The way in which a rank waits. The rank spins for a few microseconds, then lets other processes run, then rests for growing times. So an
/// exchange in full swing is not slowed, and a rank that waits for long costs next to nothing. Where ranks share processors, the rank lets
/// other processes run from the beginning.
///
/// Make one Backoff for each wait. Call pause() whenever polling found nothing, and reset() when polling found something. In virtual time
/// the rank rests at once.
class Backoff {
public:
    using Clock = Transport::Clock;

    /// Waits a moment in the way that suits the time waited so far. deadline: the end of the whole wait, which the caller checks.
    void pause(Transport& transport, Clock::time_point deadline = Clock::time_point::max());

    void reset() noexcept { pauseCount_ = 0; }

    /// True once the wait has left the spinning stage; rare checks are made from then on.
    bool isResting() const noexcept { return pauseCount_ > spinPauses; }

private:
    static constexpr unsigned spinPauses = 200;
    /// A pause in which other processes run counts as this number of pauses.
    static constexpr unsigned pausesOfYield = 10;
    static_assert(spinPauses % pausesOfYield == 0, "pause() waits for the number of pauses");

    unsigned pauseCount_ = 0;
    Clock::time_point start_{};
};

}    // namespace ferry::detail
