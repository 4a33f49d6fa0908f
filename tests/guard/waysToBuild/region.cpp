// A guarded region. The last rank throws through a C function (with an argument: beside it), while the others wait in that function.
// Then the region runs again.
#include <cstdio>
#include <exception>
#include <stdexcept>

#include <mpi.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/guard/region/guarded.hpp>

extern "C" int sumInC(int (*valueOf)(int), int rank);

namespace {

int size = 0;
bool isBroken = true;

/// Prints a line when its destructor has run during stack unwinding.
struct Witness {
    int rank;
    ~Witness() {
        if (std::uncaught_exceptions() > 0) std::printf("rank %d unwound\n", rank);
    }
};

int valueOf(int rank) {
    if (isBroken && rank == size - 1) throw std::domain_error("the matrix is singular");
    return rank;
}

}    // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int sum = -1;
    const auto add = [&] {
        const Witness witness{rank};
        if (argc > 1) valueOf(rank);
        sum = sumInC(&valueOf, rank);
    };
    try {
        ferry::guarded(MPI_COMM_WORLD, add);
    } catch (const ferry::ExceptionList& failures) {
        std::printf("rank %d caught %s\n", rank, failures.what());
        isBroken = false;
        ferry::guarded(MPI_COMM_WORLD, add);
    }
    std::printf("rank %d has sum %d\n", rank, sum);
    MPI_Finalize();
    return 0;
}
