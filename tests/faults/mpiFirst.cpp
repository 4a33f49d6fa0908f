// ranks: 1 (alone), 1. A program initialises MPI itself, and asks for four threads when no launcher has started it.
// Should print 4 when it is started alone, and 1 under mpirun -np 1. Kind: the number of ranks is guessed though a launcher has said it.
#include <cstdio>
#include <ferry/ferry.hpp>
#include <mpi.h>
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int status = 0;
    {
        ferry::Application app(argc, argv, ferry::ThreadRanks{4});
        status = app.runOnAll([](ferry::Connector& c) {
            if (c.isMaster()) std::printf("%d ranks\n", c.size());
        });
    }
    MPI_Finalize();
    return status;
}
