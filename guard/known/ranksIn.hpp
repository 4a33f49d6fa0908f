#pragma once

#include <mpi.h>
#include <vector>

namespace ferry::pmpi {

/// The rank in `other` of each rank of the group; MPI_UNDEFINED for ranks that are not in `other`.
std::vector<int> ranksIn(MPI_Group other, MPI_Group group);

}    // namespace ferry::pmpi
