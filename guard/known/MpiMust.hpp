#pragma once

#include <mpi.h>

namespace ferry::pmpi {

/// Ends the job with a line that names the failed call: the guard cannot go on without that call.
[[noreturn]] void abortFor(const char* call, int result);

/// Ends the job with this status, when the launcher has had time to pass on what was printed. MPICH returns from MPI_Abort where the process
/// is in exit() already.
[[noreturn]] void abortJob(int status) noexcept;

/// Checks a call of the guard itself. Its failure leaves ranks that do not know of each other.
inline void must(int result, const char* call) {
    if (result != MPI_SUCCESS) [[unlikely]] {
        abortFor(call, result);
    }
}

}    // namespace ferry::pmpi
