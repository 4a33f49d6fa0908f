#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>

namespace ferry::detail {

/// Lets threads run one at a time. One thread has the turn, and gives it to another. The thread that gets the turn sees everything that the
/// giver did before.
class Turns {
public:
    /// For threadCount threads, numbered from 0. No thread has the turn at first.
    explicit Turns(int threadCount) : seats_(static_cast<std::size_t>(threadCount)) {}

    void give(int thread) {
        Seat& seat = seats_[static_cast<std::size_t>(thread)];
        {
            const std::lock_guard lock(seat.mutex);
            seat.hasTurn = true;
        }
        seat.gotTurn.notify_one();
    }

    void await(int thread) {
        Seat& seat = seats_[static_cast<std::size_t>(thread)];
        std::unique_lock lock(seat.mutex);
        seat.gotTurn.wait(lock, [&seat] { return seat.hasTurn; });
        seat.hasTurn = false;
    }

private:
    struct Seat {
        std::mutex mutex;
        std::condition_variable gotTurn;
        bool hasTurn = false;
    };

    std::deque<Seat> seats_;
};

}    // namespace ferry::detail
