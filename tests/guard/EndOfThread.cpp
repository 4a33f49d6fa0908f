// pthread_exit() ends the thread of the last rank in a guarded region of plain MPI code.
//     mpirun -np 2 ferryPmpiEndOfThread [helper]
// The other ranks get a failure. The process of the last rank exits with status 1. `helper`: the thread is not the main one. Then the main
// thread goes on, and all ranks end with status 0.
#include <pthread.h>
#include <cstdio>
#include <thread>

#include <mpi.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/guard/region/guarded.hpp>

namespace {

void runRegion(bool isLast) {
    try {
        ferry::guarded(MPI_COMM_WORLD, [isLast] {
            if (isLast) pthread_exit(nullptr);
            MPI_Barrier(MPI_COMM_WORLD);
        });
    } catch (const ferry::ExceptionList& failures) {
        std::printf("woken: %s\n", failures.what());
        std::fflush(stdout);
    }
}

}    // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        std::thread(runRegion, rank == size - 1).join();
    else
        runRegion(rank == size - 1);
    MPI_Finalize();
}
