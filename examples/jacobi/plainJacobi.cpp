// A plate that is heated on one side, as a plain MPI program: mpirun -np 4 build/release/bin/plainJacobi [RANK]
// The plate has a broken cell on that rank, and the rank throws there, so the program aborts.
// A program that caught the exception there would leave the other ranks waiting.
// ferry run --guard makes all ranks stop, and prints the reason:
// tools/ferry run --guard -np 4 build/release/bin/plainJacobi 2
#include <cstdio>
#include <cstdlib>

#include <ferry/examples/jacobi/Plate.hpp>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    {
        Plate plate(MPI_COMM_WORLD);
        if (argc > 1 && std::atoi(argv[1]) == rank) plate.setConductivity(7, 7, -1.0);
        const int sweeps = plate.solve(0.05);
        const double mean = plate.mean();
        if (rank == 0) std::printf("%d sweeps, mean temperature %.4f\n", sweeps, mean);
    }
    MPI_Finalize();
    return 0;
}
