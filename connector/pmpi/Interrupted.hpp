#pragma once

#include <cstdint>
#include <functional>

#include <mpi.h>

#include <ferry/connector/pmpi/Communicators.hpp>
#include <ferry/connector/pmpi/JoinedCalls.hpp>
#include <ferry/connector/pmpi/MpiMust.hpp>

namespace ferry::pmpi {

/// A collective call of the program in whose barrier a rank waits when it hears of a failure. If all ranks of the communicator have
/// entered the barrier, some may be in the call itself already, and need this rank there.
struct Interrupted {
    Communicator* communicator = nullptr;
    MPI_Request barrier = MPI_REQUEST_NULL;    ///< null when it is over
    std::uint64_t number = 0;                  ///< of the barrier on the communicator
    std::function<void()> call{};
    bool needsAll = false;    ///< the call ends only when all ranks have made it: a region inside of this one

    /// The last rank may have entered the barrier before it heard of the failure. Then it is over, and others are in the call already.
    void advance(JoinedCalls& joined) {
        if (barrier == MPI_REQUEST_NULL) return;
        int isDone = 0;
        must(PMPI_Test(&barrier, &isDone, MPI_STATUS_IGNORE), "MPI_Test");
        if (isDone == 0) return;
        joined.tell(*communicator, number);
        call();
    }
    /// Another rank makes the call that was interrupted, so that this one has to.
    void join(const JoinedCalls::Place& place) {
        if (barrier == MPI_REQUEST_NULL || place.communicator != communicator->id || place.number != number) return;
        must(PMPI_Wait(&barrier, MPI_STATUS_IGNORE), "MPI_Wait");
        call();
    }
};

}    // namespace ferry::pmpi
