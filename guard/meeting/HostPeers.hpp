#pragma once

#include <cstdint>
#include <vector>

#include <mpi.h>

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/HostMemory.hpp>

namespace ferry::pmpi {

/// The ranks of a meeting place on this host: this rank reaches their memory (HostMemory), and they reach its own.
///
/// Environment: with FERRY_HOST_MEMORY=off a rank shares no memory. With FERRY_GUARD_HOST a rank shares memory only with ranks of equal
/// value, as if the value were the name of the host.
class HostPeers {
public:
    /// Collective on the communicator, the meeting place's duplicate.
    HostPeers(MPI_Comm communicator, int rank, int size);

    /// The counters for the meetings of a communicator's ranks. Empty: the communicator has no slot, or ranks on several hosts, or ranks
    /// that are not in the meeting place (Communicator::regionRanks). All ranks get the same answer.
    ArrivalTree treeFor(const Communicator& communicator) const;

    /// The page of a rank of the meeting place; null: this rank does not reach it.
    HostMemory::Page* pageOf(int rank) const { return pages_[static_cast<std::size_t>(rank)]; }
    /// The process of a rank whose page this rank reaches.
    std::int64_t processOf(int rank) const { return processes_[static_cast<std::size_t>(rank)]; }

private:
    void meet(MPI_Comm host, int rank);

    std::vector<HostMemory::Page*> pages_;    // by rank of the meeting place; null: not reached
    std::vector<std::int64_t> processes_;     // by rank of the meeting place; 0: not known
};

}    // namespace ferry::pmpi
