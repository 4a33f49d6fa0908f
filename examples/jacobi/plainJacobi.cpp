// A plate that is heated on one side, as a plain MPI program: mpirun -np 4 build/release/bin/plainJacobi
// When one rank throws in here, the program aborts; in a program that catches it there, the others wait for ever.
#include <cstdio>

#include <ferry/examples/jacobi/Plate.hpp>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    {
        Plate plate(MPI_COMM_WORLD);
        const int sweeps = plate.solve(0.05);
        const double mean = plate.mean();
        if (rank == 0) std::printf("%d sweeps, mean temperature %.4f\n", sweeps, mean);
    }
    MPI_Finalize();
    return 0;
}
