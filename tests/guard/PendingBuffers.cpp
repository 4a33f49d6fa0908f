// Throws while receives and sends use vectors of the function that throws; a test for the address sanitizer.
//     mpirun -np 2 ferryPmpiPendingBuffers ROUNDS [--without-probe]
// Without the probe the vectors are destroyed before the requests end, and MPI writes to freed memory.
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <mpi.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/guard/region/UnwindProbe.hpp>
#include <ferry/guard/region/guarded.hpp>

namespace {

struct Neighbours {
    int rank = 0;
    int size = 0;
    int next() const { return (rank + 1) % size; }
    int previous() const { return (rank + size - 1) % size; }
};

void exchange(const Neighbours& at, std::size_t count, bool isThrowing) {
    std::vector<double> received(count);
    std::vector<double> sent(count, at.rank + 1.0);
    std::array<MPI_Request, 2> requests;
    MPI_Irecv(received.data(), static_cast<int>(count), MPI_DOUBLE, at.previous(), 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(sent.data(), static_cast<int>(count), MPI_DOUBLE, at.next(), 1, MPI_COMM_WORLD, &requests[1]);
    if (isThrowing) throw std::runtime_error("between start and wait");
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    if (received.front() != at.previous() + 1.0 || received.back() != at.previous() + 1.0) throw std::logic_error("wrong values");
}

}    // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    Neighbours at;
    MPI_Comm_rank(MPI_COMM_WORLD, &at.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &at.size);
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 20;
    ferry::pmpi::UnwindProbe::isOn = argc < 3 || std::string(argv[2]) != "--without-probe";
    int failureCount = 0;
    for (int round = 0; round < rounds; ++round) {
        const std::size_t count = round % 2 == 0 ? 200 : 50'000;
        try {
            ferry::guarded(MPI_COMM_WORLD, [&] { exchange(at, count, round % at.size == at.rank); });
        } catch (const ferry::ExceptionList& list) {
            if (list.size() == 1 && list.front().what() == std::string("between start and wait")) ++failureCount;
        }
        ferry::guarded(MPI_COMM_WORLD, [&] { exchange(at, count, false); });
    }
    if (at.rank == 0) std::printf("%d of %d\n", failureCount, rounds);
    MPI_Finalize();
    return failureCount == rounds ? 0 : 1;
}
