#pragma once

#include <vector>

#include <mpi.h>

#include <ferry/connector/pmpi/Communicators.hpp>
#include <ferry/connector/pmpi/HostMemory.hpp>

namespace ferry::pmpi {

/// The ranks of a channel whose memory this one reaches (HostMemory), and that reach its own: those on its host.
///
/// The environment variable FERRY_GUARD_HOST gives ranks another host than the one they are on: they share memory with those of the same
/// name only, and with none if it is "none".
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
