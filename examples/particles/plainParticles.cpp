// Two streams of electrons, as a plain MPI program: mpirun -np 4 build/release/bin/plainParticles [STEP]
// With steps that are too long, such as 0.125, a rank throws in the middle, so the program aborts.
// ferry run --guard prints the reason.
#include <cstdio>
#include <cstdlib>

#include <ferry/examples/particles/Plasma.hpp>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    {
        double step = argc > 1 ? std::atof(argv[1]) : 0.0625;
        Plasma plasma(MPI_COMM_WORLD);
        plasma.run(step);
        const double energy = plasma.kineticEnergy();
        if (rank == 0) std::printf("steps of %g, mean kinetic energy %.6f\n", step, energy);
    }
    MPI_Finalize();
    return 0;
}
