#pragma once

#include <algorithm>
#include <chrono>

#include <ferry/framework/watch/ProcessState.hpp>

namespace ferry {

/// Decides whether a slave that gives no sign of life is lost. Pure logic: told what is heard, and when somebody looks.
///
/// A machine that is overloaded must not cost live slaves: time in which the one who looks came late counts only as far as he had planned
/// to be away, since the slave may have fared the same; and a process that is seen to run on the same host gets more time.
class SilenceJudge {
public:
    using Duration = std::chrono::steady_clock::duration;
    using TimePoint = std::chrono::steady_clock::time_point;

    /// A process that runs, but is silent, has so many times the limit.
    static constexpr int patienceWithRunning = 10;

    /// A silence of the limit is too long; limit zero: none is.
    SilenceJudge(Duration limit, TimePoint begin) : limit_(limit), lastLook_(begin) {}

    /// A sign of life has come.
    void heard() noexcept { silence_ = Duration::zero(); }

    /// Somebody looks, after all that had come was told to heard(); he had planned to look again after so long.
    void looked(TimePoint now, Duration planned) noexcept {
        silence_ += std::min(now - lastLook_, 2 * planned);
        lastLook_ = now;
    }

    /// Whether it is worth while to ask for the state of the process.
    bool isSuspicious() const noexcept { return limit_ != Duration::zero() && silence_ >= limit_ / 4; }

    bool isLost(ProcessState state) const noexcept;

    Duration silence() const noexcept { return silence_; }

private:
    Duration limit_;
    Duration silence_{0};
    TimePoint lastLook_;
};

}    // namespace ferry
