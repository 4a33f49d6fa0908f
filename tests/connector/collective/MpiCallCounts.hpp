#pragma once

namespace ferry::test {

/// How often this process has called functions of MPI that move data. A program that is linked with this stands between the library and
/// these functions (PMPI). Looks for what has come (MPI_Test, MPI_Iprobe, MPI_Irecv) are not counted: how many there are is a matter of
/// time.
struct MpiCallCounts {
    int broadcasts = 0;
    int allGathers = 0;    ///< MPI_Allgatherv too
    int allToAlls = 0;     ///< MPI_Alltoallv too
    int reductions = 0;    ///< MPI_Reduce, MPI_Allreduce, MPI_Scan
    int others = 0;        ///< sends, and collectives that are not named above

    int all() const noexcept { return broadcasts + allGathers + allToAlls + reductions + others; }
};

/// Since the process began.
MpiCallCounts& mpiCallCounts() noexcept;

}    // namespace ferry::test
