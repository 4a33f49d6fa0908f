#pragma once

#include <mpi.h>

#include <ferry/benchmarks/support/Clocks.hpp>

namespace bench {

/// Returns the wall-clock time from the start of all ranks until all have finished, in nanoseconds. Every rank gets the same number, so
/// that all ranks calibrate alike. The result of the function is destroyed after the time is taken.
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
