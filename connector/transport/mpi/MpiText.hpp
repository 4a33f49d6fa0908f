#pragma once

#include <string>

#include <mpi.h>

namespace ferry {

/// Gives all ranks of the communicator the text of rank 0, of 4095 characters at most. All ranks call it together.
/// Errors: UsageError for a longer text; MpiError.
std::string mpiTextOfFirst(const std::string& text, MPI_Comm communicator);

}    // namespace ferry
