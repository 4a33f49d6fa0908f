#pragma once

#include <algorithm>
#include <chrono>

#include <ferry/connector/transport/Transport.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

/// Until when a call may wait, by the clock of its transport, which is simulated in a simulation: a time, or so long from the start of the
/// call or scope that it is given to.
///
/// What has arrived by then is taken, also when the deadline has passed before the call.
class Deadline {
public:
    using Clock = Transport::Clock;

    /// No limit.
    static Deadline never() noexcept { return Deadline(Clock::duration::max(), false); }

    /// So long from the start of the call or scope, each time anew when it is given to several. Less than nothing is as good as nothing,
    /// more than a century as good as no limit. Errors: UsageError for what is not a number.
    template <class Rep, class Period>
    static Deadline in(std::chrono::duration<Rep, Period> time) {
        const long double ticks = std::chrono::duration<long double, Clock::period>(time).count();
        if (ticks != ticks) throw UsageError("a deadline needs a duration that is a number");
        if (ticks >= static_cast<long double>(century.count())) return never();
        if (ticks <= -static_cast<long double>(century.count())) return Deadline(-century, true);
        return Deadline(Clock::duration(static_cast<Clock::rep>(ticks)), true);
    }

    /// At a time of the transport's clock (Connector::now()).
    static Deadline at(Clock::time_point time) noexcept { return Deadline(time.time_since_epoch(), false); }

    template <class Rep, class Period>
    Deadline(std::chrono::duration<Rep, Period>) = delete;    // ferry: say from when a duration counts: ferry::Deadline::in(duration)

    bool isNever() const noexcept { return time_ == Clock::duration::max(); }

    /// When it is for a call that starts now; not more than a century ago.
    Clock::time_point forStart(Clock::time_point now) const noexcept {
        if (isNever()) return Clock::time_point::max();
        return isFromStart_ ? now + time_ : std::max(Clock::time_point(time_), now - century);
    }

private:
    static constexpr Clock::duration century = std::chrono::hours(24 * 36525);    // times near it can be added without overflow

    Deadline(Clock::duration time, bool isFromStart) noexcept : time_(time), isFromStart_(isFromStart) {}

    Clock::duration time_;
    bool isFromStart_;
};

/// How long the calls of a rank may wait at the moment.
struct WaitLimit {
    Deadline::Clock::time_point since{};    ///< when it was set
    Deadline::Clock::time_point until = Deadline::Clock::time_point::max();

    bool isSet() const noexcept { return until != Deadline::Clock::time_point::max(); }
};

}    // namespace ferry
