#pragma once

#include <vector>

#include <mpi.h>

namespace ferry::detail {

/// The ranks of a communicator that share a host with this rank.
struct MpiHost {
    std::vector<int> ranks{};    ///< their numbers in the communicator, with the number of this rank
    bool isCrowded = false;      ///< the ranks outnumber the processors on which they may run

    /// All ranks of the communicator call it together. Errors: MpiError.
    static MpiHost find(MPI_Comm communicator);
};

}    // namespace ferry::detail
