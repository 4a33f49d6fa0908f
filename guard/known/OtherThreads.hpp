#pragma once

namespace ferry::pmpi {

/// The threads of this process beside the calling one: those that were there when MPI was initialised, and those that the program has made
/// since then. Where they cannot be read, there is none.
class OtherThreads {
public:
    /// Notes the threads that are there now.
    static void note();
    /// Leaves the calling thread out, for a thread of the guard.
    static void leaveThisOut();
    /// Whether there is a thread that note() has not seen.
    static bool haveCome();
    /// Whether a thread has computed since the last call of this function.
    static bool haveComputed();
};

}    // namespace ferry::pmpi
