// The calls of MPI about communicators that ferry_pmpi intercepts.
#include <mpi.h>

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/guard/meeting/Channel.hpp>
#include <ferry/guard/region/Region.hpp>

using ferry::pmpi::activeRegion;
using ferry::pmpi::Channel;
using ferry::pmpi::Communicator;
using ferry::pmpi::Communicators;
using ferry::pmpi::must;
using ferry::pmpi::refuse;
using ferry::pmpi::Turn;

namespace {

void forget(MPI_Comm communicator) {
    if (communicator == MPI_COMM_NULL) return;
    Channel::close(communicator);
    Communicators::ofProcess().remove(communicator);
}

}    // namespace

/// In a region this call only marks the communicator and never waits, since destructors call it. The end of the region frees it.
int MPI_Comm_free(MPI_Comm* communicator) {
    if (activeRegion != nullptr) [[unlikely]] {
        const Turn turn("MPI_Comm_free");
        Communicator* known = Communicators::ofProcess().find(*communicator);
        if (known != nullptr && !activeRegion->isGuarding(*communicator)) {
            activeRegion->noteFreed(*known);
            *communicator = MPI_COMM_NULL;
            return MPI_SUCCESS;
        }
        const auto refused = refuse("MPI_Comm_free", "the communicator is that of the region, or is not known to the guard");
        if (refused) return *refused;
    }
    forget(*communicator);
    return PMPI_Comm_free(communicator);
}

int MPI_Comm_disconnect(MPI_Comm* communicator) {
    if (activeRegion != nullptr) [[unlikely]] {
        if (const auto refused = refuse("MPI_Comm_disconnect", "the call waits for messages of other ranks")) return *refused;
        // Another rank may still read the counters, which forget() clears.
        if (Communicators::ofProcess().find(*communicator) != nullptr) must(PMPI_Barrier(*communicator), "MPI_Barrier");
    }
    forget(*communicator);
    return PMPI_Comm_disconnect(communicator);
}
