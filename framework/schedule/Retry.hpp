#pragma once

#include <exception>
#include <string>

#include <ferry/connector/exception/isOf.hpp>
#include <ferry/connector/transport/Transport.hpp>
#include <ferry/connector/transport/requireDuration.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/algorithms.hpp>
#include <ferry/serialization/ints/durations.hpp>

namespace ferry {

/// Tries a task again when it fails with one of the listed exceptions, or a class derived from one:
/// `RetryOn<TooBig, std::runtime_error>{.times = 3, .backOff = 10ms}`.
template <class... Exceptions>
struct RetryOn {
    static_assert(sizeof...(Exceptions) > 0, "ferry: say after which exceptions to try again: RetryOn<std::exception>");

    int times = 1;                           ///< greatest number of tries after the first one
    std::chrono::microseconds backOff{0};    ///< pause before the first of these tries; each further pause is twice as long
};

namespace detail {

/// Says after which failures a task is tried again, and with which pauses. By default a task is never tried again. Made from a RetryOn.
///
/// Errors: UsageError for a negative `times` or a negative pause.
class Retry {
public:
    using Duration = Transport::Clock::duration;

    Retry() = default;
    template <class... Exceptions>
    Retry(const RetryOn<Exceptions...>& on)    // implicit, so that options can be written as a RetryOn
        : times_(on.times),
          backOff_(checked(on.backOff)),
          covers_([](const std::exception_ptr& failure) { return (isOf<Exceptions>(failure) || ...); }) {
        if (times_ < 0) throw UsageError("expected RetryOn::times of 0 or more, found " + std::to_string(times_));
    }

    int times() const noexcept { return times_; }
    bool covers(const std::exception_ptr& failure) const { return covers_ != nullptr && covers_(failure); }

    /// The pause before a try; the first try after a failure is number 2. At most one hour.
    Duration pauseBefore(int tryNumber) const {
        Duration pause = backOff_;
        for (int earlier = 2; earlier < tryNumber && pause < longest && pause > Duration::zero(); ++earlier)
            pause = std::min<Duration>(2 * pause, longest);
        return pause;
    }

private:
    static constexpr std::chrono::microseconds longest = std::chrono::hours(1);

    /// The pause, at most `longest`. Compared before the conversion, which overflows for a pause of centuries.
    static Duration checked(std::chrono::microseconds backOff) {
        requireDuration("RetryOn::backOff", backOff);
        return std::min(backOff, longest);
    }

    int times_ = 0;
    Duration backOff_{0};
    bool (*covers_)(const std::exception_ptr&) = nullptr;    ///< null: no failure is covered
};

}    // namespace detail

}    // namespace ferry
