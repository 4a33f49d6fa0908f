// A program of MPI that knows nothing of Ferry. Rank 1 cannot read its file and goes to MPI_Finalize, while the others wait for it.
#include <cstdio>

#include <mpi.h>

bool readMesh(int rank) {
    if (rank != 1) return true;
    std::fprintf(stderr, "rank 1: mesh.msh, line 7: not a number\n");
    return false;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (readMesh(rank)) {
        double mine = 0.5 * (rank + 1), smallest = 0;
        MPI_Allreduce(&mine, &smallest, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        if (rank == 0) std::printf("smallest cell: %g\n", smallest);
    }
    MPI_Finalize();
}
