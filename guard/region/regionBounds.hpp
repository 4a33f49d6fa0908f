#pragma once

#include <exception>
#include <string>
#include <vector>

#include <mpi.h>

#include <ferry/connector/exception/FailureRecord.hpp>
#include <ferry/guard/meeting/MeetingPlace.hpp>
#include <ferry/guard/region/Region.hpp>

namespace ferry::pmpi {

/// Errors: UsageError when this process cannot enter a region on the communicator; guarded() lists the reasons.
void requireUsable(MPI_Comm communicator);

/// The meeting place of a region that this rank is about to enter. Collective at the first call.
MeetingPlace& meetingPlaceForRegion(MPI_Comm communicator);

/// Ends a region on this rank. thrown: the exception that has left its function; null: it has returned. Returns the failures of all ranks,
/// equal on each rank; empty: the region has succeeded. Collective. The region may be destroyed afterwards.
std::vector<detail::FailureRecord> endRegion(Region& region, const MeetingPlace& meetingPlace, const std::exception_ptr& thrown);

/// The failure of a rank whose thread has ended in a region, in words.
std::string endOfThreadText(int rank);

}    // namespace ferry::pmpi
