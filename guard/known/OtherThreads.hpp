#pragma once

namespace ferry::pmpi {

/// The threads of this process beside the calling one: those of the program, and those that MPI_Init has made. Where the threads cannot be
/// read, there is none.
class OtherThreads {
public:
    /// Notes the threads that are there before MPI_Init.
    static void noteProgram();
    /// Notes the threads that MPI_Init has made.
    static void noteMpi();
    /// Leaves the calling thread out, for a thread of the guard.
    static void leaveThisOut();
    /// Whether a thread of the program may call MPI by itself. A thread does not while it waits without a limit for another thread, as
    /// those of numerical libraries do between their calls.
    static bool mayAct();
    /// Whether a thread has computed since the last call of this function.
    static bool haveComputed();
};

}    // namespace ferry::pmpi
