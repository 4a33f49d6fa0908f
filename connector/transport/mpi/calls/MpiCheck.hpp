#pragma once

#include <mpi.h>

#include <ferry/connector/transport/mpi/calls/MpiError.hpp>

namespace ferry::detail {

[[noreturn]] void throwMpiError(int result, const char* call, MPI_Comm communicator, int peer);

/// Throws MpiError unless the result of the named call on the communicator is MPI_SUCCESS. The peer is the other rank of the call, if there
/// is one.
inline void checkMpi(int result, const char* call, MPI_Comm communicator, int peer = -1) {
    if (result != MPI_SUCCESS) [[unlikely]] {
        detail::throwMpiError(result, call, communicator, peer);
    }
}

}    // namespace ferry::detail
