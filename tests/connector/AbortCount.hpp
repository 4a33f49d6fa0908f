#pragma once

namespace ferry::test {

/// Number of calls of MPI_Abort in this process so far. A program that links this file intercepts MPI_Abort (PMPI).
/// Each call prints a line on standard error, which is the last output of the process.
int abortCount() noexcept;

}    // namespace ferry::test
