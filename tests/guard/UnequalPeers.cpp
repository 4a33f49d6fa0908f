// Rank 0 has no file descriptor left to map the shared memory of the others, but they can map its memory. So all ranks have to meet by
// MPI.
#include <sys/resource.h>
#include <unistd.h>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <mpi.h>

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/HostMemory.hpp>
#include <ferry/guard/region/guarded.hpp>

namespace {

/// Takes all file descriptors that this process may still open.
class Descriptors {
public:
    Descriptors() {
        const rlimit few{256, 256};
        ::setrlimit(RLIMIT_NOFILE, &few);
        for (int one = ::dup(STDOUT_FILENO); one >= 0; one = ::dup(STDOUT_FILENO)) all_.push_back(one);
    }
    Descriptors(const Descriptors&) = delete;
    Descriptors& operator=(const Descriptors&) = delete;
    ~Descriptors() {
        for (const int one : all_) ::close(one);
    }

private:
    std::vector<int> all_;
};

/// Computes the sum of the ranks in a region.
int guardedSum(int rank) {
    int sum = 0;
    ferry::guarded(MPI_COMM_WORLD, [&] { MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); });
    return sum;
}

}    // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<int> numbers(static_cast<std::size_t>(size));
    MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, numbers.data(), 1, MPI_INT, MPI_COMM_WORLD);    // MPI has opened the files that it needs
    ferry::pmpi::HostMemory::ofProcess();                                                  // and this rank has opened its own memory
    int sum = 0;
    if (rank == 0) {
        const Descriptors none;
        sum = guardedSum(rank);
    } else {
        sum = guardedSum(rank);
    }
    const bool isInMemory = ferry::pmpi::Communicators::ofProcess().find(MPI_COMM_WORLD)->arrivals.isThere();
    const bool isRight = sum == size * (size - 1) / 2 && !isInMemory;
    std::puts(isRight ? "right" : isInMemory ? "wrong: in memory" : "wrong sum");
    MPI_Finalize();
    return isRight ? EXIT_SUCCESS : EXIT_FAILURE;
}
