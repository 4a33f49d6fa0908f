#include <ferry/tests/connector/AbortCount.hpp>

#include <atomic>
#include <cstdio>

#include <mpi.h>

namespace {

std::atomic<int> count{0};

}    // namespace

extern "C" int MPI_Abort(MPI_Comm communicator, int status) {
    ++count;
    std::fprintf(stderr, "MPI_Abort was called with status %d\n", status);
    std::fflush(stderr);
    return PMPI_Abort(communicator, status);
}

int ferry::test::abortCount() noexcept { return count.load(); }
