#pragma once

#include <exception>
#include <vector>

#include <mpi.h>

#include <ferry/connector/exception/FailureRecord.hpp>
#include <ferry/guard/meeting/Channel.hpp>
#include <ferry/guard/region/Region.hpp>

namespace ferry::pmpi {

/// Errors: UsageError when this process cannot enter a region on the communicator; guarded() lists why.
void requireUsable(MPI_Comm communicator);

/// The channel of a region that this rank is about to enter. Collective the first time.
Channel& channelForRegion(MPI_Comm communicator);

/// The end of a region on this rank, with what has left its function (null: it has returned). The failures of all ranks, the same on each;
/// none: the region has succeeded. Collective. The region may be destroyed then.
std::vector<FailureRecord> endRegion(Region& region, const Channel& channel, const std::exception_ptr& thrown);

}    // namespace ferry::pmpi
