// A library with its own communicator: small and large values go around a ring, with every kind of send.
#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

#include <ferry/tests/guard/Codes.hpp>

namespace ferry::test {

namespace {

constexpr int largeCount = 30'000;    // 240 KB: no MPI sends such a message before its receive

double sumOf(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

double passStarted(MPI_Comm communicator, Faults& faults, int next, int previous, int count) {
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    std::vector<double> sent(static_cast<std::size_t>(count), rank + 1.0);
    std::vector<double> received(sent.size());
    std::array<MPI_Request, 2> requests;
    faults.step();
    MPI_Irecv(received.data(), count, MPI_DOUBLE, previous, 7, communicator, &requests[0]);
    faults.step();
    MPI_Isend(sent.data(), count, MPI_DOUBLE, next, 7, communicator, &requests[1]);
    faults.step();
    int index = 0;
    MPI_Waitany(2, requests.data(), &index, MPI_STATUS_IGNORE);
    faults.step();
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    return sumOf(received);
}

/// Passes a token around. Each rank adds to it, and the first rank begins.
double passToken(MPI_Comm communicator, Faults& faults, int next, int previous) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    double token = 1;
    if (size == 1) return token;
    if (rank == 0) {
        faults.step();
        MPI_Ssend(&token, 1, MPI_DOUBLE, next, 8, communicator);
    }
    MPI_Status status;
    faults.step();
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator, &status);
    faults.step();
    MPI_Recv(&token, 1, MPI_DOUBLE, previous, status.MPI_TAG, communicator, MPI_STATUS_IGNORE);
    token = 2 * token + rank;
    if (rank != 0) {
        faults.step();
        MPI_Send(&token, 1, MPI_DOUBLE, next, 8, communicator);
    }
    return token;
}

}    // namespace

double ring(MPI_Comm communicator, Faults& faults) {
    static MPI_Comm own = MPI_COMM_NULL;    // made once for the process, as libraries do
    if (own == MPI_COMM_NULL) MPI_Comm_dup(communicator, &own);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(own, &rank);
    MPI_Comm_size(own, &size);
    const int next = (rank + 1) % size;
    const int previous = (rank + size - 1) % size;
    double result = passStarted(own, faults, next, previous, 10);
    result += passToken(own, faults, next, previous);
    result += passStarted(own, faults, next, previous, largeCount);
    std::vector<double> turned(1000, result);
    faults.step();
    MPI_Sendrecv_replace(turned.data(), static_cast<int>(turned.size()), MPI_DOUBLE, next, 9, previous, 9, own, MPI_STATUS_IGNORE);
    result += sumOf(turned);
    double total = 0;
    faults.step();
    MPI_Allreduce(&result, &total, 1, MPI_DOUBLE, MPI_SUM, own);
    return total;
}

}    // namespace ferry::test
