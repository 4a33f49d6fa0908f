// The program plainParticles with a guarded region: mpirun -np 4 build/release/bin/guardedParticles [STEP]
// When steps are too long, all ranks begin again with steps of half the length.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include <ferry/guarded.hpp>

#include <ferry/examples/particles/Plasma.hpp>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    {
        double step = argc > 1 ? std::atof(argv[1]) : 0.0625;
        Plasma plasma(MPI_COMM_WORLD);
        const std::vector<Plasma::Particle> start = plasma.particles();
        for (bool isDone = false; !isDone;) {
            try {
                ferry::guarded(MPI_COMM_WORLD, [&] { plasma.run(step); });
                isDone = true;
            } catch (const ferry::ExceptionList& failures) {    // on every rank, with the same failures
                if (failures.front().as<std::range_error>() == nullptr) throw;
                if (rank == 0) std::printf("%s\n", failures.what());
                plasma.setParticles(start);
                step /= 2;
            }
        }
        const double energy = plasma.kineticEnergy();
        if (rank == 0) std::printf("steps of %g, mean kinetic energy %.6f\n", step, energy);
    }
    MPI_Finalize();
    return 0;
}
