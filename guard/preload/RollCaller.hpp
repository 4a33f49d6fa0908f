#pragma once

#include <ferry/guard/meeting/MeetingPlace.hpp>

namespace ferry::detail {

/// Roll calls on demand: `ferryrun --roll-call` sends SIGUSR1 to the guard's thread of a rank, one rank prints where all ranks of its host
/// stand, and the job goes on. The signal does not reach the program, which may use SIGUSR1 for itself.
///
/// A thread of the guard answers for its rank, also while the program computes. It gets the stack of the program's thread by StackSignal.
/// The thread also tells when the next rank of the host is stopped by a signal. The thread calls no function of MPI.
class RollCaller {
public:
    /// Begins to answer. To be called by the program's thread.
    static void begin(const pmpi::MeetingPlace& meetingPlace);
    /// Makes a roll call now, for this host, unless another rank of the host has made one by this function. Waits for the answers for some
    /// seconds.
    static void call();
    /// Makes a roll call as call() does, each time. For a job that goes on.
    static void show();
    /// Whether no other rank of this host has told why the job ends, by call() or after this function.
    static bool isFirstToTell() noexcept;
    /// Notes that the rank for which isFirstToTell() was true has told it.
    static void noteTold() noexcept;
    /// Waits until that rank has told it, for at most eight seconds. The launcher kills all ranks when one of them dies, so a rank that
    /// died before would take the report with it.
    static void awaitTold() noexcept;
    /// Lets the guard's thread look at a signal that asks the process to end. May be called in a handler.
    static void noteEndSignal() noexcept;
    /// Whether no other rank of this host fails for a signal.
    static bool isFirstToEnd() noexcept;
    /// Notes that this rank has left MPI in order: from here on its process may end in any way. The thread goes on to answer.
    static void noteFinalized() noexcept;
    /// Ends the thread.
    static void end() noexcept;
};

}    // namespace ferry::detail
