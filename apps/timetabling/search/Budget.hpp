#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>

namespace timetabling {

/// How much work a search may do: a number of moves, a time, or both; 0 stands for no limit, two zeros for no work at all.
/// Only a search without a limit of time is repeatable.
struct Budget {
    std::int64_t moves = 0;
    double seconds = 0;

    static Budget ofMoves(std::int64_t moves) { return {moves, 0}; }
    static Budget ofSeconds(double seconds) { return {0, seconds}; }
};

/// Called every few milliseconds of work: true asks the search to end early with the best so far. May throw, which ends it as well.
using StopHook = std::function<bool()>;

/// Tells how much of a budget is left. Looks at the clock and asks the stop hook rarely enough to cost nothing.
class BudgetMeter {
public:
    /// After so many moves, a millisecond or two, hasEnded() should be asked.
    static constexpr std::int64_t MovesPerCheck = 4096;

    BudgetMeter(const Budget& budget, const StopHook& stop) : budget_(budget), stop_(stop), start_(Clock::now()) {}

    /// Adds moves that were made, asks the stop hook, and tells whether the search should end.
    bool hasEndedAfter(std::int64_t moves) {
        moves_ += moves;
        if (budget_.seconds > 0) seconds_ = std::chrono::duration<double>(Clock::now() - start_).count();
        isStopped_ = isStopped_ || (stop_ && stop_());
        return hasEnded();
    }
    bool hasEnded() const { return isStopped_ || movesLeft() <= 0; }
    /// Made so far.
    std::int64_t moves() const { return moves_; }
    /// Moves that the rest of the budget allows; for a time estimated from the speed so far.
    std::int64_t movesLeft() const {
        if (budget_.moves > 0 && budget_.seconds > 0) return std::min(budget_.moves - moves_, movesLeftInTime());
        return budget_.moves > 0 ? budget_.moves - moves_ : movesLeftInTime();
    }
    /// What is left for a part of the work that has a meter of its own.
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
