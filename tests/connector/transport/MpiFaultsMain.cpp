#include <doctest/doctest.h>
#include <mpi.h>

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    const int status = doctest::Context(argc, argv).run();
    MPI_Finalize();
    return status;
}
