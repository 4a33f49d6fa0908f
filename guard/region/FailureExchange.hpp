#pragma once

#include <vector>

#include <mpi.h>

#include <ferry/connector/exception/FailureRecord.hpp>

namespace ferry::pmpi {

/// Exchanges the failures: returns those of all ranks, at least one, equal on each rank. Collective.
std::vector<detail::FailureRecord> exchangeFailures(MPI_Comm communicator, const std::vector<detail::FailureRecord>& own);

}    // namespace ferry::pmpi
