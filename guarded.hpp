#pragma once

/// Guarded regions for a program that calls MPI itself: all ranks leave a region together, with what was thrown (docs/existing-mpi.md).
/// Link ferry::pmpi.
///
///     #include <cstdio>
///     #include <stdexcept>
///
///     #include <mpi.h>
///
///     #include <ferry/guarded.hpp>
///
///     int main(int argc, char** argv) {
///         MPI_Init(&argc, &argv);
///         int rank = 0;
///         MPI_Comm_rank(MPI_COMM_WORLD, &rank);
///         try {
///             ferry::guarded(MPI_COMM_WORLD, [rank] {
///                 if (rank == 0) throw std::domain_error("no such step");
///                 MPI_Barrier(MPI_COMM_WORLD);    // woken, instead of waiting for rank 0
///             });
///         } catch (const ferry::ExceptionList& failures) {    // on every rank
///             std::printf("rank %d: %s\n", failures.front().rank(), failures.front().what());
///         }
///         MPI_Finalize();
///     }

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/guard/region/guarded.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
