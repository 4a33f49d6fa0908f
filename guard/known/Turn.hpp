#pragma once

namespace ferry::pmpi {

/// The right of one thread to use the data of a region, for one call of MPI. Other threads wait at the beginning of their calls.
///
/// Turns exist only in programs that have asked for MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE. In other programs one thread calls MPI,
/// and a turn costs one branch. A thread that waits in a call lets other threads have turns meanwhile (letOthers(), Pause). A call of MPI
/// within another one, such as in an operator of the program, belongs to the turn of the outer call.
///
/// Threads that call MPI one after the other are guarded as one thread is. When a thread calls while another thread is in a call, a failure
/// cannot be undone in an orderly way any more: haveMet() is true from then on, and a failure ends the job by force.
class Turn {
public:
    /// call: the name of the call, for the line that reports the first meeting of two threads.
    explicit Turn(const char* call) {
        if (areNeeded_) [[unlikely]]
            begin(call);
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
        if (isBegun_) [[unlikely]]
            end();
    }

    /// Gives the turn away while the library's own call works, and takes it again. Does nothing outside of a turn.
    class Pause {
    public:
        Pause() {
            if (areNeeded_) [[unlikely]]
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
    static void need() noexcept { areNeeded_ = true; }
    static bool areNeeded() noexcept { return areNeeded_; }
    /// Lets threads that wait for a turn go first. To be called now and then by a thread that waits in its turn.
    static void letOthers() {
        if (areNeeded_) [[unlikely]]
            letWaitingGo();
    }
    /// Whether two threads of this process were in calls of MPI at the same time.
    static bool haveMet() noexcept;

private:
    void begin(const char* call);
    void end() noexcept;
    static void letWaitingGo();

    static inline bool areNeeded_ = false;
    bool isBegun_ = false;
};

}    // namespace ferry::pmpi
