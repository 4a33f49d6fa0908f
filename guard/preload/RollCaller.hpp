#pragma once

#include <ferry/guard/meeting/Channel.hpp>

namespace ferry::detail {

/// Roll calls on demand: after SIGUSR1 to any rank, one rank prints where all ranks of its host stand, and the job goes on. Launchers pass
/// the signal on to all ranks.
///
/// A thread of the guard answers for its rank, also while the program computes. The handler of the signal only takes the stack of the
/// program's thread; it allocates nothing. A program that has a handler of its own for SIGUSR1 keeps it, and gets no roll call. The thread
/// also tells when the next rank of the host is stopped by a signal. The thread calls no function of MPI.
class RollCaller {
public:
    /// Takes SIGUSR1, so that it does not end a program that is not guarded yet. Called before MPI is initialised.
    static void expect() noexcept;
    /// Begins to answer. To be called by the program's thread.
    static void begin(const pmpi::Channel& channel);
    /// Makes a roll call now, for this host. Waits for the answers for some seconds.
    static void call();
    /// Ends the thread.
    static void end() noexcept;
};

}    // namespace ferry::detail
