#pragma once

#include <algorithm>
#include <chrono>

#include <ferry/framework/watch/ProcessState.hpp>

namespace ferry::detail {

/// Decides whether a silent slave is lost. Pure logic: the caller reports signs of life and its own looks.
///
/// An overloaded machine must not cost live slaves. Time by which the caller looks late counts only up to a limit, since the slave may be
/// late for the same reason. A process that is seen to run on the same host gets more time.
class SilenceJudge {
public:
    using Duration = std::chrono::steady_clock::duration;
    using TimePoint = std::chrono::steady_clock::time_point;

    /// A running but silent process gets this number of limits.
    static constexpr int patienceWithRunning = 10;

    /// limit: the silence after which a slave is lost; zero: a silence is never too long.
    SilenceJudge(Duration limit, TimePoint begin) : limit_(limit), lastLook_(begin) {}

    /// Notes a sign of life.
    void heard() noexcept { silence_ = Duration::zero(); }

    /// Notes a look of the caller, after heard() was called for all arrived signs. planned: the time that the caller planned between two
    /// looks.
    void looked(TimePoint now, Duration planned) noexcept {
        silence_ += std::min(now - lastLook_, 2 * planned);
        lastLook_ = now;
    }

    /// Whether the caller should read the state of the process.
    bool isSuspicious() const noexcept { return limit_ != Duration::zero() && silence_ >= limit_ / 4; }

    bool isLost(ProcessState state) const noexcept;

    Duration silence() const noexcept { return silence_; }

private:
    Duration limit_;
    Duration silence_{0};
    TimePoint lastLook_;
};

}    // namespace ferry::detail
