#pragma once

namespace ferry::test {

/// Number of calls of MPI functions that move data, in this process. A program that links this file intercepts these functions (PMPI).
/// Calls that look for arrived messages (MPI_Test, MPI_Iprobe, MPI_Irecv) are not counted, because their number depends on timing.
struct MpiCallCounts {
    int broadcasts = 0;
    int allGathers = 0;    ///< includes MPI_Allgatherv
    int allToAlls = 0;     ///< includes MPI_Alltoallv
    int reductions = 0;    ///< MPI_Reduce, MPI_Allreduce, MPI_Scan
    int others = 0;        ///< sends, and collectives without an own counter above

    int all() const noexcept { return broadcasts + allGathers + allToAlls + reductions + others; }
};

/// The counters since the start of the process.
MpiCallCounts& mpiCallCounts() noexcept;

}    // namespace ferry::test
