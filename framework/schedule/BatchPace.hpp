#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

#include <ferry/connector/transport/Transport.hpp>

namespace ferry {

/// How much work travels together: more where the master is what slaves wait for. Pure logic.
///
/// A letter costs the master about as much as several tasks in one. As long as it never waits while slaves have nothing to do, and letters
/// have few tasks, the time of a batch doubles; when it waits again, it goes back.
class BatchPace {
public:
    using TimePoint = Transport::Clock::time_point;
    using Duration = std::chrono::nanoseconds;

    /// How often it changes its mind.
    static constexpr Duration period = std::chrono::milliseconds(10);
    static constexpr Duration longest = std::chrono::milliseconds(64);
    /// From here on the letter costs next to nothing for each of its tasks.
    static constexpr std::size_t manyTasks = 64;

    explicit BatchPace(Duration usual) : usual_(usual), batchTime_(usual) {}

    /// The master has waited for letters.
    void waited(Duration time) noexcept { waited_ += time; }

    /// It has sent a letter of so many tasks.
    void sent(std::size_t taskCount) noexcept {
        taskCount_ += taskCount;
        ++letterCount_;
    }

    /// Whether there is something to decide.
    bool isDue(TimePoint now) const noexcept { return now - begin_ >= period; }
    /// Of how long a batch is to be from now on. areSlavesIdle: some have had nothing to do.
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
    TimePoint begin_{};    ///< of this period
};

}    // namespace ferry
