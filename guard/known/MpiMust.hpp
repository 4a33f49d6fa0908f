#pragma once

#include <mpi.h>

namespace ferry::pmpi {

/// Ends the job, with a line that names the call: the guard itself cannot go on without it.
[[noreturn]] void abortFor(const char* call, int result);

/// For calls of the guard itself, whose failure leaves ranks that do not know of each other.
inline void must(int result, const char* call) {
    if (result != MPI_SUCCESS) [[unlikely]] {
        abortFor(call, result);
    }
}

}    // namespace ferry::pmpi
