#pragma once

#include <ferry/connector/transport/Transport.hpp>
#include <ferry/connector/transport/requireDuration.hpp>
#include <ferry/serialization/ints/algorithms.hpp>
#include <ferry/serialization/ints/durations.hpp>

namespace ferry {

/// The time until which a call may wait, by the clock of its transport. In a simulation this clock is simulated. A deadline is either a
/// time, or a duration from the start of the call or scope that gets it.
///
/// Letters that have arrived by then are taken, even when the deadline has passed before the call.
class Deadline {
public:
    using Clock = detail::Transport::Clock;

    /// No limit.
    static Deadline never() noexcept { return Deadline(Clock::duration::max(), false); }

    /// A duration from the start of the call or scope. It counts anew for each call that gets the deadline. A negative duration is over
    /// already, as a time in the past is, more than a century counts as no limit. Errors: UsageError for a duration that is not a number.
    template <class Rep, class Period>
    static Deadline in(std::chrono::duration<Rep, Period> time) {
        const long double ticks = std::chrono::duration<long double, Clock::period>(time).count();
        if (ticks != ticks) detail::failDuration("a deadline", ticks);
        if (ticks >= static_cast<long double>(century.count())) return never();
        if (ticks <= -static_cast<long double>(century.count())) return Deadline(-century, true);
        return Deadline(Clock::duration(static_cast<Clock::rep>(ticks)), true);
    }

    /// At a time of the transport's clock (Connector::now()).
    static Deadline at(Clock::time_point time) noexcept { return Deadline(time.time_since_epoch(), false); }

    template <class Rep, class Period>
    Deadline(std::chrono::duration<Rep, Period>) = delete;    // ferry: say from when a duration counts: ferry::Deadline::in(duration)

    bool isNever() const noexcept { return time_ == Clock::duration::max(); }

    /// The end of the wait of a call that starts now. Never more than a century before now.
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

namespace detail {

/// The present limit on the waits of a rank.
struct WaitLimit {
    Deadline::Clock::time_point since{};    ///< when the limit was set
    Deadline::Clock::time_point until = Deadline::Clock::time_point::max();

    bool isSet() const noexcept { return until != Deadline::Clock::time_point::max(); }
};

}    // namespace detail

}    // namespace ferry
