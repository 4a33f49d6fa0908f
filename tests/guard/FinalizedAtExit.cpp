// Programs that finalise MPI after main() has returned. "static": a static object with a communicator finalises.
// "handler": a handler of exit() finalises, which was registered before the first region.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <mpi.h>

#include <ferry/guard/region/guarded.hpp>

namespace {

class Mpi {
public:
    Mpi() = default;
    Mpi(const Mpi&) = delete;
    Mpi& operator=(const Mpi&) = delete;
    ~Mpi() {
        if (communicator_ == MPI_COMM_NULL) return;
        MPI_Comm_free(&communicator_);
        end();
    }

    void takeCommunicator() { MPI_Comm_dup(MPI_COMM_WORLD, &communicator_); }
    MPI_Comm communicator() const { return communicator_ != MPI_COMM_NULL ? communicator_ : MPI_COMM_WORLD; }

    static void end() {
        const bool isFinalized = MPI_Finalize() == MPI_SUCCESS;
        std::puts(isFinalized ? "finalised" : "wrong: not finalised");
    }

private:
    MPI_Comm communicator_ = MPI_COMM_NULL;
};

Mpi mpi;

}    // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc != 2) return EXIT_FAILURE;
    if (std::strcmp(argv[1], "static") == 0)
        mpi.takeCommunicator();
    else
        std::atexit(Mpi::end);
    int sum = 0;
    ferry::guarded(MPI_COMM_WORLD, [&] {
        const int one = 1;
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, mpi.communicator());
    });
    return sum > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
