#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include <ferry/connector/message/state/DroppedGroups.hpp>

namespace ferry::detail {

/// A thread in the words of an error. number: that of the operating system. rank: -1 for a thread of no rank.
std::string threadInWords(std::uint64_t number, int rank);

/// Lets one thread at a time use the objects of a rank: its connector, all objects that the connector made, and its master.
///
/// A thread may use these objects after another one, but not while a call of the other lasts. A thread of another rank may never use them.
/// A call of the thread that called last costs a few loads and stores. Another thread takes the objects over first, which costs
/// microseconds.
/// Threads: any. Errors: UsageError for a thread that may not use the objects. Its text names both threads. The failed call changes
/// nothing.
class OneThread : public std::enable_shared_from_this<OneThread> {
    /// A thread that has used the object. Only this thread changes its depth of calls.
    struct Seat {
        const void* place = nullptr;         ///< an address in the thread's own memory; a later thread may have the same one
        std::atomic<std::uint64_t> id{0};    ///< the number of the thread in this class, unique in the process
        std::uint64_t number = 0;            ///< the number that the operating system gives the thread
        int rank = -1;
        std::atomic<int> depth{0};
    };

public:
    /// The check for the connector of this rank, counted as the outermost connector does.
    explicit OneThread(int rank) noexcept : rank_(rank) { nobody_.id = ~std::uint64_t{0}; }
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;

    /// A call, which lasts as long as this object lives. Calls of one thread may be nested.
    class Call {
    public:
        [[gnu::always_inline]] explicit Call(OneThread& object) : seat_(object.enter()) {}
        Call(const Call&) = delete;
        Call& operator=(const Call&) = delete;
        ~Call() { seat_.depth.store(seat_.depth.load(std::memory_order_relaxed) - 1, std::memory_order_release); }

    private:
        Seat& seat_;
    };

    /// While this object lives, this thread is in no call: a function of the user runs. There must be a call around it.
    class Outside {
    public:
        explicit Outside(OneThread& object) noexcept
            : object_(object),
              seat_(*object.user_.load(std::memory_order_relaxed)),
              depth_(seat_.depth.exchange(0)) {
            ++object.outsideCount_;
        }
        Outside(const Outside&) = delete;
        Outside& operator=(const Outside&) = delete;
        ~Outside() { object_.comeBack(seat_, depth_); }

    private:
        OneThread& object_;
        Seat& seat_;
        int depth_;
    };

    /// Checks the thread like a call that is over at once.
    void require() {
        if (user_.load(std::memory_order_acquire)->id.load(std::memory_order_relaxed) != idOfThisThread()) [[unlikely]]
            takeOver(0);
    }

    /// Whether this thread called last, and no thread is in a call, Outside included.
    bool isFree() const noexcept {
        const Seat& last = *user_.load(std::memory_order_acquire);
        return last.id.load(std::memory_order_relaxed) == idOfThisThread() && last.depth.load(std::memory_order_relaxed) == 0 &&
               outsideCount_.load() == 0;
    }

    /// Whether this thread called last.
    bool isOfThisThread() const noexcept {
        return user_.load(std::memory_order_acquire)->id.load(std::memory_order_relaxed) == idOfThisThread();
    }

    /// To be called before the rank's connector ends. Errors: UsageError while a call of any thread lasts, also of this thread.
    void requireNoCall();

    /// The connectors of the rank's groups that were destroyed while a call may have lasted.
    DroppedGroups& dropped() noexcept { return dropped_; }

private:
    /// The number of this thread in this class; 0: the thread has none yet.
    static std::uint64_t& idOfThisThread() noexcept {
        static thread_local std::uint64_t id = 0;
        return id;
    }

    /// Always inline, since each call of a connector makes some calls.
    [[gnu::always_inline]] Seat& enter() {
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
    std::mutex mutex_;                     ///< locked while a thread takes the object over
    std::list<Seat> seats_;
    int firstRank_ = -1;    ///< the rank of the thread that called first
    DroppedGroups dropped_;
    std::atomic<int> outsideCount_{0};    ///< the calls of all threads that are Outside
};

}    // namespace ferry::detail
