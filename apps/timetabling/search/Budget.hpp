#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>

namespace timetabling {

/// A limit for the work of a search: a number of moves, a time, or both. One 0 stands for no limit, two zeros stand for no work at all.
/// Only a search without a time limit is repeatable.
struct Budget {
    std::int64_t moves = 0;
    double seconds = 0;

    static Budget ofMoves(std::int64_t moves) { return {moves, 0}; }
    static Budget ofSeconds(double seconds) { return {0, seconds}; }
};

/// The stop hook is called every few milliseconds of work. true asks the search to end early with the best so far.
/// The hook may throw, which ends the search as well.
using StopHook = std::function<bool()>;

/// Measures how much of a budget is left. Looks at the clock and asks the stop hook rarely enough to cost nothing.
class BudgetMeter {
public:
    /// The number of moves after which hasEndedAfter() should be called: one or two milliseconds.
    static constexpr std::int64_t MovesPerCheck = 4096;

    BudgetMeter(const Budget& budget, const StopHook& stop) : budget_(budget), stop_(stop), start_(Clock::now()) {}

    /// Adds the number of moves made, and asks the stop hook. Returns whether the search should end.
    bool hasEndedAfter(std::int64_t moves) {
        moves_ += moves;
        if (budget_.seconds > 0) seconds_ = std::chrono::duration<double>(Clock::now() - start_).count();
        isStopped_ = isStopped_ || (stop_ && stop_());
        return hasEnded();
    }
    bool hasEnded() const { return isStopped_ || movesLeft() <= 0; }
    /// The number of moves made so far.
    std::int64_t moves() const { return moves_; }
    /// The number of moves that the budget still allows. For a time limit, an estimate from the speed so far.
    std::int64_t movesLeft() const {
        if (budget_.moves > 0 && budget_.seconds > 0) return std::min(budget_.moves - moves_, movesLeftInTime());
        return budget_.moves > 0 ? budget_.moves - moves_ : movesLeftInTime();
    }
    /// The rest of the budget, for a part of the work with its own meter.
    Budget rest() const {
        constexpr double Shortest = 1e-9;    // not 0, which would mean no limit
        return {budget_.moves > 0 ? std::max<std::int64_t>(1, budget_.moves - moves_) : 0,
                budget_.seconds > 0 ? std::max(Shortest, budget_.seconds - seconds_) : 0};
    }

private:
    using Clock = std::chrono::steady_clock;

    std::int64_t movesLeftInTime() const {
        if (seconds_ >= budget_.seconds) return 0;
        if (moves_ == 0 || seconds_ <= 0) return MovesPerCheck;
        return 1 + static_cast<std::int64_t>(static_cast<double>(moves_) * (budget_.seconds / seconds_ - 1));
    }

    Budget budget_;
    const StopHook& stop_;
    Clock::time_point start_;
    std::int64_t moves_ = 0;
    double seconds_ = 0;
    bool isStopped_ = false;
};

}    // namespace timetabling
