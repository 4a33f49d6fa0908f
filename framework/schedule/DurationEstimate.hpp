#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace ferry {

/// How long calls of one kind are expected to take, from those that have been measured: a moving average. One call counts as at most
/// eight times what was expected, so that a single slow one does not make all others look slow.
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

    /// Nothing when none has been measured.
    std::optional<Duration> expected() const noexcept { return average_; }

private:
    std::optional<Duration> average_;
};

}    // namespace ferry
