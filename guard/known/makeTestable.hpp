#pragma once

#include <mpi.h>

namespace ferry::pmpi {

/// The request of a non-blocking call on a file, as one that can be tested together with others. With MPICH it is waited for here, and
/// another one, which is over, stands for it: the library (4.0.2, 5.0.2) ends the job in MPI_Testall for its own, though not in
/// MPI_Waitall. What MPI says.
int makeTestable(MPI_Request* request);

}    // namespace ferry::pmpi
