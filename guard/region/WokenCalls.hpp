#pragma once

#include <optional>
#include <string>

#include <mpi.h>

namespace ferry::pmpi {

/// How a call tells the program that the region has failed.
enum class WokenCalls {
    Throw,         ///< an exception
    AskHandler,    ///< an MPI error code, unless the error handler of the communicator is MPI_ERRORS_ARE_FATAL; then an exception
    Return,        ///< an MPI error code
};

/// The error code of a call on this communicator in a failed region; empty: the call throws. Calls the error handler of the program if
/// there is one. The code is the same in all calls of the process; MPI_Error_string gives the first text, cut at its end.
std::optional<int> errorCodeFor(WokenCalls way, MPI_Comm communicator, const std::string& text);

}    // namespace ferry::pmpi
