#pragma once

#include <vector>

#include <mpi.h>

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/HostMemory.hpp>

namespace ferry::pmpi {

/// The ranks of a channel whose memory this one reaches (HostMemory), and that reach its own: those on its host.
///
/// In the environment, FERRY_HOST_MEMORY=off means that a rank shares none, and FERRY_GUARD_HOST that it shares some only with ranks for
/// which that says the same: as if they were on hosts of such names.
class HostPeers {
public:
    /// Collective on the communicator, which is the channel's duplicate.
    HostPeers(MPI_Comm communicator, int rank, int size);

    /// The counters at which the ranks of a communicator meet; none when it has no slot, ranks on several hosts, or some that are not in
    /// the channel (Communicator::regionRanks). The same answer on all of them.
    ArrivalTree treeFor(const Communicator& communicator) const;

private:
    void meet(MPI_Comm host, int rank);

    std::vector<HostMemory::Page*> pages_;    // by rank of the channel; null: not reached
};

}    // namespace ferry::pmpi
