// Times calls of MPI in a program that knows nothing of Ferry. benchmarks/guardOverhead runs it with and without `ferryrun --guard`.
//     mpirun -np 2 build/release/bin/benchPlainMpi
// A line for each operation: its name, and the median of the microseconds of one call, over windows of about a millisecond.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <mpi.h>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int windowCount = 101;
constexpr double windowMicros = 1000;

int rank = 0;
int size = 0;
std::vector<char> out(1 << 20), in(1 << 20);

struct Operation {
    std::string name;
    std::function<void()> call;
};

double microsOf(int repeats, const std::function<void()>& call) {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto begin = Clock::now();
    for (int i = 0; i < repeats; ++i) call();
    return std::chrono::duration<double, std::micro>(Clock::now() - begin).count() / repeats;
}

/// A number of repeats that takes about a millisecond. All ranks get the number of rank 0.
int repeatsFor(const std::function<void()>& call) {
    constexpr int tries = 20;
    microsOf(tries, call);
    int repeats = static_cast<int>(std::clamp(windowMicros / microsOf(tries, call), 1.0, 10000.0));
    MPI_Bcast(&repeats, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return repeats;
}

void pingPong(int bytes) {
    const int other = rank ^ 1;
    if (other >= size) return;
    if (rank % 2 == 0) {
        MPI_Send(out.data(), bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD);
        MPI_Recv(in.data(), bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(in.data(), bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(out.data(), bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD);
    }
}

void exchange(int bytes) {
    const int other = rank ^ 1;
    if (other >= size) return;
    std::array<MPI_Request, 2> requests{};
    MPI_Irecv(in.data(), bytes, MPI_BYTE, other, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out.data(), bytes, MPI_BYTE, other, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
}

std::vector<Operation> operations() {
    std::vector<Operation> all;
    for (const int bytes : {4, 1024, 65536, 1 << 20}) {
        all.push_back({"Send and Recv there and back, " + std::to_string(bytes) + " B", [bytes] { pingPong(bytes); }});
    }
    all.push_back({"Irecv, Isend, Waitall, 1024 B", [] { exchange(1024); }});
    all.push_back({"Barrier", [] { MPI_Barrier(MPI_COMM_WORLD); }});
    all.push_back({"Allreduce, 8 B", [] {
                       double own = 1;
                       double sum = 0;
                       MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
                   }});
    all.push_back({"Bcast, 8 B", [] { MPI_Bcast(out.data(), 8, MPI_BYTE, 0, MPI_COMM_WORLD); }});
    all.push_back({"Allgather, 8 B", [] { MPI_Allgather(out.data(), 8, MPI_BYTE, in.data(), 8, MPI_BYTE, MPI_COMM_WORLD); }});
    return all;
}

}    // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (const Operation& operation : operations()) {
        const int repeats = repeatsFor(operation.call);
        std::vector<double> micros;
        for (int i = 0; i < windowCount; ++i) micros.push_back(microsOf(repeats, operation.call));
        std::nth_element(micros.begin(), micros.begin() + windowCount / 2, micros.end());
        if (rank == 0) std::printf("%s: %.3f\n", operation.name.c_str(), micros[windowCount / 2]);
    }
    MPI_Finalize();
}
