#pragma once

#include <mpi.h>

namespace ferry::pmpi {

/// Makes the request of a non-blocking call on a file testable together with others. With MPICH this function waits for the request and
/// replaces it by one that is over: MPICH (4.0.2, 5.0.2) ends the job in MPI_Testall for its own request, though not in MPI_Waitall.
/// Returns MPI's result.
int makeTestable(MPI_Request* request);

}    // namespace ferry::pmpi
