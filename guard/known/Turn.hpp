#pragma once

#include <pthread.h>
#include <atomic>

namespace ferry::pmpi {

/// The right of one thread to use the data of a region, for one call of MPI. Other threads wait at the beginning of their calls.
///
/// Turns exist in programs that have asked for MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE. Other programs promise that one thread calls
/// MPI. There a call only notes its name, until another thread calls: from then on turns exist, too. A thread that waits in a call lets
/// other threads have turns meanwhile (letOthers(), Pause). A call of MPI within another one, such as in an operator of the program,
/// belongs to the turn of the outer call.
///
/// Threads that call MPI one after the other are guarded as one thread is. When a thread calls while another thread is in a call, a failure
/// cannot be undone in an orderly way any more: haveMet() is true from then on, and a failure ends the job by force.
class Turn {
public:
    /// call: the name of the call, for the line that reports the first meeting of two threads.
    explicit Turn(const char* call) {
        if (areNeeded() || !isOnlyThread()) [[unlikely]] {
            begin(call);
        } else {
            before_ = present_.load(std::memory_order_relaxed);
            present_.store(call, std::memory_order_relaxed);
            isNoted_ = true;
        }
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
        if (isBegun_) [[unlikely]]
            end();
        if (isNoted_) [[likely]]
            present_.store(before_, std::memory_order_release);
        if (isNoted_ && before_ == nullptr && isAdopted_) [[unlikely]]
            endAdopted();
    }

    /// Gives the turn away while the library's own call works, and takes it again. Does nothing outside of a turn.
    class Pause {
    public:
        Pause() {
            if (areNeeded()) [[unlikely]]
                begin();
        }
        Pause(const Pause&) = delete;
        Pause& operator=(const Pause&) = delete;
        ~Pause() {
            if (depth_ > 0) [[unlikely]]
                end();
        }

    private:
        void begin();
        void end();

        int depth_ = 0;
    };

    /// Switches turns on, for a process whose threads may all call MPI. To be called before a second thread calls MPI.
    static void need() noexcept { areNeeded_.store(true, std::memory_order_release); }
    static bool areNeeded() noexcept { return areNeeded_.load(std::memory_order_acquire); }
    /// Notes this thread as the one that calls MPI, in a process that has promised that only one does so.
    static void noteOnlyThread() noexcept;
    /// Lets threads that wait for a turn go first. To be called now and then by a thread that waits in its turn.
    static void letOthers() {
        if (areNeeded()) [[unlikely]]
            letWaitingGo();
    }
    /// Whether two threads of this process were in calls of MPI at the same time.
    static bool haveMet() noexcept;

private:
    void begin(const char* call);
    void end() noexcept;
    static void letWaitingGo();
    static bool isOnlyThread() noexcept { return onlyThread_.load(std::memory_order_relaxed) == pthread_self(); }
    static void needLate(const char* call);
    static void adopt();
    static void endAdopted() noexcept;

    static inline std::atomic<bool> areNeeded_{false};
    static inline std::atomic<pthread_t> onlyThread_{};
    static inline std::atomic<const char*> present_{nullptr};    ///< call of the only thread
    static inline std::atomic<bool> isAdopted_{false};           ///< the call of the only thread has become a turn
    const char* before_ = nullptr;                               ///< call around this one
    bool isNoted_ = false;
    bool isBegun_ = false;
};

}    // namespace ferry::pmpi
