// The solver of plainJacobi with a guarded region: mpirun -np 4 build/release/bin/guardedJacobi [RANK]
// The plate has a broken cell on that rank, and the rank throws there.
// The guard passes the exception to all ranks. The program mends the cell, and all ranks go on.
#include <cstdio>
#include <cstdlib>

#include <ferry/guarded.hpp>

#include <ferry/examples/jacobi/Plate.hpp>

namespace {

int solveGuarded(Plate& plate, int rank) {
    int sweeps = 0;
    const auto solve = [&] { ferry::guarded(MPI_COMM_WORLD, [&] { sweeps = plate.solve(0.05); }); };
    try {
        solve();
    } catch (const ferry::ExceptionList& failures) {    // on every rank, with the same failures
        if (rank == 0) std::printf("%s\n", failures.what());
        if (failures.front().rank() == rank) plate.setConductivity(7, 7, 1.0);
        solve();
    }
    return sweeps;
}

}    // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    {
        Plate plate(MPI_COMM_WORLD);
        if (argc > 1 && std::atoi(argv[1]) == rank) plate.setConductivity(7, 7, -1.0);
        const int sweeps = solveGuarded(plate, rank);
        const double mean = plate.mean();
        if (rank == 0) std::printf("%d sweeps, mean temperature %.4f\n", sweeps, mean);
    }
    MPI_Finalize();
    return 0;
}
