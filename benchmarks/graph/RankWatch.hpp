#pragma once

#include <mpi.h>

#include <ferry/benchmarks/support/Clocks.hpp>

namespace bench {

/// The time on the wall from when all ranks begin until all are done: nanoseconds, the same number on every rank, so that all of them
/// calibrate alike. What the function returns is dropped when the watch stands.
template <class Function>
double timeOnRanks(Function function) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = wallNs();
    [[maybe_unused]] const auto result = function();
    MPI_Barrier(MPI_COMM_WORLD);
    double tookNs = wallNs() - start;
    MPI_Bcast(&tookNs, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return tookNs;
}

}    // namespace bench
