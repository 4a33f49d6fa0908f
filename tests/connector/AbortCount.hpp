#pragma once

namespace ferry::test {

/// How often this process has called MPI_Abort so far. A program that is linked with this stands between MPI_Abort and the MPI library
/// (PMPI); each call says so on standard error, as the last that is heard of the process.
int abortCount() noexcept;

}    // namespace ferry::test
