#pragma once

#include <mpi.h>

namespace ferry::pmpi {

/// Hands out a status like a call with a single status: MPI_ERROR is left unchanged.
inline void giveStatus(MPI_Status* wanted, const MPI_Status& status) {
    if (wanted == MPI_STATUS_IGNORE) return;
    const int error = wanted->MPI_ERROR;
    *wanted = status;
    wanted->MPI_ERROR = error;
}

}    // namespace ferry::pmpi
