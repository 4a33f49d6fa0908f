#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>

namespace ferry {

/// Sees to it that one thread at a time uses what belongs to a rank: its connector, with all that was made by it, and its master.
///
/// A thread may use it after another one, but not while a call of another one lasts, and never when it is the thread of another rank. A
/// call of the thread that called last costs a few loads and stores; another thread takes the object over first, which costs microseconds.
/// Threads: any. Errors: UsageError for a thread that may not use it, which names both threads; nothing has happened then.
class OneThread {
    /// One of the threads that have used the object. It alone changes how deep it is in calls.
    struct Seat {
        const void* place = nullptr;         ///< of the thread's own memory; threads that come after one another may have the same
        std::atomic<std::uint64_t> id{0};    ///< of the thread, which no other has
        std::uint64_t number = 0;            ///< the operating system's
        int rank = -1;
        std::atomic<int> depth{0};
    };

public:
    /// Of the connector of this rank, counted as the outermost connector does.
    explicit OneThread(int rank) noexcept : rank_(rank) { nobody_.id = ~std::uint64_t{0}; }
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;

    /// A call, which lasts as long as it lives. Calls of one thread may lie in each other.
    class Call {
    public:
        explicit Call(OneThread& object) : seat_(object.enter()) {}
        Call(const Call&) = delete;
        Call& operator=(const Call&) = delete;
        ~Call() { seat_.depth.store(seat_.depth.load(std::memory_order_relaxed) - 1, std::memory_order_release); }

    private:
        Seat& seat_;
    };

    /// While it lives, this thread is in no call: a function of the user runs. There must be a call around it.
    class Outside {
    public:
        explicit Outside(OneThread& object) noexcept
            : object_(object),
              seat_(*object.user_.load(std::memory_order_relaxed)),
              depth_(seat_.depth.exchange(0)) {}
        Outside(const Outside&) = delete;
        Outside& operator=(const Outside&) = delete;
        ~Outside() { object_.comeBack(seat_, depth_); }

    private:
        OneThread& object_;
        Seat& seat_;
        int depth_;
    };

    /// The same as a call that is over at once.
    void require() {
        if (user_.load(std::memory_order_acquire)->id.load(std::memory_order_relaxed) != idOfThisThread()) [[unlikely]]
            takeOver(0);
    }

private:
    /// 0: it has not got one yet.
    static std::uint64_t& idOfThisThread() noexcept {
        static thread_local std::uint64_t id = 0;
        return id;
    }

    Seat& enter() {
        Seat* const seat = user_.load(std::memory_order_acquire);
        if (seat->id.load(std::memory_order_relaxed) == idOfThisThread()) [[likely]] {
            const int depth = seat->depth.load(std::memory_order_relaxed);
            seat->depth.store(depth + 1, std::memory_order_relaxed);
            std::atomic_signal_fence(std::memory_order_seq_cst);    // takeOver() makes the processor keep this order, too
            if (user_.load(std::memory_order_acquire) == seat) [[likely]]
                return *seat;
            seat->depth.store(depth, std::memory_order_release);
        }
        return takeOver(1);
    }

    Seat& takeOver(int depth);
    void comeBack(Seat& seat, int depth) noexcept;
    Seat& seatOfThisThread();

    const int rank_;
    Seat nobody_;
    std::atomic<Seat*> user_{&nobody_};    ///< the thread that called last
    std::mutex mutex_;                     ///< of taking over
    std::deque<Seat> seats_;
    int firstRank_ = -1;    ///< of the thread that called first
};

}    // namespace ferry
