#pragma once

#include <vector>

#include <mpi.h>

#include <ferry/connector/exception/FailureRecord.hpp>

namespace ferry::pmpi {

/// The failures of all ranks together, the same on each; at least one. Collective.
std::vector<FailureRecord> exchangeFailures(MPI_Comm communicator, const std::vector<FailureRecord>& own);

}    // namespace ferry::pmpi
