#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

#include <ferry/connector/transport/Transport.hpp>

namespace ferry::detail {

/// Decides how much work travels in one letter. The amount grows where the slaves wait for the master. Pure logic.
///
/// A letter costs the master about as much time as several tasks in it. The time of a batch doubles while the master hardly waits, slaves
/// are idle, and letters hold few tasks. When the master waits again, the time of a batch halves until it is the usual one.
class BatchPace {
public:
    using TimePoint = Transport::Clock::time_point;
    using Duration = std::chrono::nanoseconds;

    /// The time between two decisions.
    static constexpr Duration period = std::chrono::milliseconds(10);
    static constexpr Duration longest = std::chrono::milliseconds(64);
    /// From this number on, the letter costs next to nothing for each of its tasks.
    static constexpr std::size_t manyTasks = 64;

    explicit BatchPace(Duration usual) : usual_(usual), batchTime_(usual) {}

    /// Notes that the master has waited for letters.
    void waited(Duration time) noexcept { waited_ += time; }

    /// Notes a letter of taskCount tasks that the master has sent.
    void sent(std::size_t taskCount) noexcept {
        taskCount_ += taskCount;
        ++letterCount_;
    }

    /// Whether the time of the next decision has come.
    bool isDue(TimePoint now) const noexcept { return now - begin_ >= period; }
    /// Returns the duration of a batch from now on. areSlavesIdle: some slaves had no task.
    Duration decide(TimePoint now, bool areSlavesIdle) noexcept {
        const Duration passed = now - begin_;
        const bool areLettersShort = taskCount_ < manyTasks * letterCount_;
        if (areSlavesIdle && areLettersShort && waited_ < passed / 20) {
            batchTime_ = std::min(2 * batchTime_, std::max(longest, usual_));
        } else if (waited_ > passed / 4) {
            batchTime_ = std::max(batchTime_ / 2, usual_);
        }
        begin_ = now;
        waited_ = Duration(0);
        taskCount_ = letterCount_ = 0;
        return batchTime_;
    }

private:
    Duration usual_;
    Duration batchTime_;
    Duration waited_{0};
    std::size_t taskCount_ = 0;
    std::size_t letterCount_ = 0;
    TimePoint begin_{};    ///< of the present period
};

}    // namespace ferry::detail
