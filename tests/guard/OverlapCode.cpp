// Collectives that are under way while the ranks compute and exchange messages with their neighbours.
#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

#include <ferry/tests/guard/Codes.hpp>

namespace ferry::test {

namespace {

constexpr int count = 3000;    // more than an MPI sends at once
constexpr int roundCount = 5;

/// Waits for the requests. The order and the MPI call depend on the rank and the round.
void waitForAll(std::array<MPI_Request, 3>& requests, int way, Faults& faults) {
    faults.step();
    switch (way % 4) {
        case 0: MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE); return;
        case 1:
            for (std::size_t i = requests.size(); i-- > 0;) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
            return;
        case 2:
            for (int areDone = 0; areDone == 0;) MPI_Testall(3, requests.data(), &areDone, MPI_STATUSES_IGNORE);
            return;
        default:
            for (std::size_t i = 0; i < requests.size(); ++i) {
                int index = 0;
                MPI_Waitany(3, requests.data(), &index, MPI_STATUS_IGNORE);
                faults.step();
            }
    }
}

/// Broadcasts every second number of a vector from the root.
void startBroadcast(std::vector<double>& values, int root, MPI_Comm communicator, MPI_Request* request) {
    MPI_Datatype everySecond = MPI_DATATYPE_NULL;
    MPI_Type_vector(count / 2, 1, 2, MPI_DOUBLE, &everySecond);
    MPI_Type_commit(&everySecond);
    MPI_Ibcast(values.data(), 1, everySecond, root, communicator, request);
    MPI_Type_free(&everySecond);    // MPI allows this while the collective is under way
}

double round(int number, MPI_Comm communicator, int rank, int size, Faults& faults) {
    std::vector<double> shared(count, rank == number % size ? number + 1.0 : 0.0);
    std::vector<double> own(count, rank + number);
    std::vector<double> sums(count);
    std::vector<double> parts(static_cast<std::size_t>(size), rank);
    std::vector<double> others(parts.size());
    std::array<MPI_Request, 3> requests{};
    faults.step();
    startBroadcast(shared, number % size, communicator, requests.data());
    faults.step();
    MPI_Iallreduce(own.data(), sums.data(), count, MPI_DOUBLE, MPI_SUM, communicator, &requests[1]);
    faults.step();
    MPI_Ialltoall(parts.data(), 1, MPI_DOUBLE, others.data(), 1, MPI_DOUBLE, communicator, &requests[2]);
    double neighbour = 0;
    faults.step();
    MPI_Sendrecv(own.data(), 1, MPI_DOUBLE, (rank + 1) % size, 3, &neighbour, 1, MPI_DOUBLE, (rank + size - 1) % size, 3, communicator,
                 MPI_STATUS_IGNORE);
    double least = 0;
    if (number % 2 == 0) {    // a collective on the same communicator, before the wait for the others
        faults.step();
        MPI_Allreduce(&neighbour, &least, 1, MPI_DOUBLE, MPI_MIN, communicator);
    }
    waitForAll(requests, rank + number, faults);
    return std::accumulate(shared.begin(), shared.end(), 0.0) + std::accumulate(sums.begin(), sums.end(), 0.0) +
           std::accumulate(others.begin(), others.end(), 0.0) + neighbour + least;
}

}    // namespace

double overlap(MPI_Comm communicator, Faults& faults) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    double sum = 0;
    for (int number = 0; number < roundCount; ++number) sum += round(number, communicator, rank, size, faults);
    double total = 0;
    faults.step();
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, communicator);
    return total;
}

}    // namespace ferry::test
