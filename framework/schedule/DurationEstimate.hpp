#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace ferry::detail {

/// The expected duration of calls of one kind: a moving average of measured durations. One call counts as at most eight times the expected
/// duration, so that a single slow call does not make all others look slow.
class DurationEstimate {
public:
    using Duration = std::chrono::nanoseconds;

    void add(Duration measured) {
        if (!average_) {
            average_ = measured;
            return;
        }
        constexpr int weight = 8;
        const Duration counted = std::min(measured, weight * *average_ + std::chrono::microseconds(1));
        *average_ += (counted - *average_) / weight;
    }

    /// Empty: no call has been measured.
    std::optional<Duration> expected() const noexcept { return average_; }

private:
    std::optional<Duration> average_;
};

}    // namespace ferry::detail
