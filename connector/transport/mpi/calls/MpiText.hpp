#pragma once

#include <string>
#include <vector>

#include <mpi.h>

namespace ferry::detail {

/// Gives all ranks of the communicator the text of rank 0, of 4095 characters at most. All ranks call it together.
/// Errors: UsageError for a longer text; MpiError.
std::string mpiTextOfFirst(const std::string& text, MPI_Comm communicator);

/// Returns the texts of all ranks, in their order; each of 4095 characters at most. All ranks call it together. Errors: as mpiTextOfFirst.
std::vector<std::string> mpiTextsOfAll(const std::string& text, MPI_Comm communicator);

}    // namespace ferry::detail
