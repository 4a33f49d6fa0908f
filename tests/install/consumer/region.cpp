// Plain MPI code as a guarded region: prints "1 failure, on rank 0: broken".
#include <cstdio>
#include <stdexcept>

#include <mpi.h>

#include <ferry/guarded.hpp>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    try {
        ferry::guarded(MPI_COMM_WORLD, [] {
            MPI_Barrier(MPI_COMM_WORLD);
            throw std::runtime_error("broken");
        });
    } catch (const ferry::ExceptionList& failures) {
        std::printf("%s\n", failures.what());
    }
    MPI_Finalize();
    return 0;
}
