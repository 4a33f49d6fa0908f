#pragma once

#include <cstdio>

#include <mpi.h>

// Parts of the programs in this folder. As the programs do, this file knows nothing of Ferry, and uses MPI alone.

inline int rank = 0;
inline int size = 0;

/// MPI from the constructor to the destructor.
struct Mpi {
    Mpi() {
        MPI_Init(nullptr, nullptr);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    }
    Mpi(const Mpi&) = delete;
    Mpi& operator=(const Mpi&) = delete;
    ~Mpi() { MPI_Finalize(); }
};

/// Prints a line when its destructor runs.
struct Witness {
    ~Witness() {
        std::printf("rank %d unwound\n", rank);
        std::fflush(stdout);
    }
};

inline bool isLast() { return rank == size - 1; }

inline void check(bool isRight, const char* what) {
    if (!isRight) std::printf("rank %d: wrong %s\n", rank, what);
}

inline void sayDone() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) std::printf("all rounds done\n");
}
