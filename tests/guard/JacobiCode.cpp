// Rows of a plate. Halos go by non-blocking and by combined calls, the residual by a reduction.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <ferry/tests/guard/Codes.hpp>

namespace ferry::test {

namespace {

constexpr int width = 200;
constexpr int rowsPerRank = 6;
constexpr int sweeps = 6;

struct Neighbours {
    int above = MPI_PROC_NULL;
    int below = MPI_PROC_NULL;
};

double* rowOf(std::vector<double>& plate, int row) { return plate.data() + static_cast<std::ptrdiff_t>(row) * width; }

void exchangeStarted(MPI_Comm communicator, Faults& faults, std::vector<double>& plate, const Neighbours& at) {
    std::vector<double> top(width), bottom(width);    // buffers that are destroyed at the end of the function
    std::array<MPI_Request, 4> requests;
    faults.step();
    MPI_Irecv(top.data(), width, MPI_DOUBLE, at.above, 1, communicator, &requests[0]);
    faults.step();
    MPI_Irecv(bottom.data(), width, MPI_DOUBLE, at.below, 2, communicator, &requests[1]);
    faults.step();
    MPI_Isend(rowOf(plate, 1), width, MPI_DOUBLE, at.above, 2, communicator, &requests[2]);
    faults.step();
    MPI_Isend(rowOf(plate, rowsPerRank), width, MPI_DOUBLE, at.below, 1, communicator, &requests[3]);
    faults.step();
    MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
    if (at.above != MPI_PROC_NULL) std::copy(top.begin(), top.end(), rowOf(plate, 0));
    if (at.below != MPI_PROC_NULL) std::copy(bottom.begin(), bottom.end(), rowOf(plate, rowsPerRank + 1));
}

void exchangeCombined(MPI_Comm communicator, Faults& faults, std::vector<double>& plate, const Neighbours& at) {
    faults.step();
    MPI_Sendrecv(rowOf(plate, 1), width, MPI_DOUBLE, at.above, 3, rowOf(plate, rowsPerRank + 1), width, MPI_DOUBLE, at.below, 3,
                 communicator, MPI_STATUS_IGNORE);
    faults.step();
    MPI_Sendrecv(rowOf(plate, rowsPerRank), width, MPI_DOUBLE, at.below, 4, rowOf(plate, 0), width, MPI_DOUBLE, at.above, 4, communicator,
                 MPI_STATUS_IGNORE);
}

double sweep(std::vector<double>& plate) {
    std::vector<double> next = plate;
    double change = 0;
    for (int row = 1; row <= rowsPerRank; ++row) {
        for (int column = 1; column + 1 < width; ++column) {
            const double* here = rowOf(plate, row) + column;
            const double mean = (here[-width] + here[width] + here[-1] + here[1]) / 4;
            change += std::abs(mean - *here);
            rowOf(next, row)[column] = mean;
        }
    }
    plate.swap(next);
    return change;
}

}    // namespace

double jacobi(MPI_Comm communicator, Faults& faults) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    const Neighbours at{rank > 0 ? rank - 1 : MPI_PROC_NULL, rank + 1 < size ? rank + 1 : MPI_PROC_NULL};
    double edge = rank == 0 ? 100 : 0;
    faults.step();
    MPI_Bcast(&edge, 1, MPI_DOUBLE, 0, communicator);
    std::vector<double> plate(static_cast<std::size_t>(rowsPerRank + 2) * width, 0.0);
    for (int row = 0; row < rowsPerRank + 2; ++row) *rowOf(plate, row) = edge + rank;
    double total = 0;
    for (int i = 0; i < sweeps; ++i) {
        (i % 2 == 0 ? exchangeStarted : exchangeCombined)(communicator, faults, plate, at);
        double change = sweep(plate);
        faults.step();
        MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_SUM, communicator);
        total += change;
    }
    double mean = 0;
    faults.step();
    MPI_Reduce(&total, &mean, 1, MPI_DOUBLE, MPI_SUM, 0, communicator);
    faults.step();
    MPI_Bcast(&mean, 1, MPI_DOUBLE, 0, communicator);
    return mean / size;
}

}    // namespace ferry::test
