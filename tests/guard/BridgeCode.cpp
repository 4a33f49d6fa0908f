// A communicator that is made while messages travel, and intercommunicators between the even and the odd ranks.
#include <array>

#include <ferry/tests/guard/Codes.hpp>

namespace ferry::test {

namespace {

/// A communicator that is freed by its owner's destructor.
struct Owned {
    Owned() = default;
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() {
        if (handle != MPI_COMM_NULL) MPI_Comm_free(&handle);
    }
    MPI_Comm handle = MPI_COMM_NULL;
};

/// The two groups of ranks, connected at the first call, which is outside of regions.
MPI_Comm bridge(MPI_Comm communicator, int rank, int size) {
    static MPI_Comm between = MPI_COMM_NULL;
    if (between != MPI_COMM_NULL || size < 2) return between;
    Owned half;
    MPI_Comm_split(communicator, rank % 2, rank, &half.handle);
    MPI_Intercomm_create(half.handle, 0, communicator, 1 - rank % 2, 5, &between);
    return between;
}

/// Sends a number around the ring while the communicator is made, and another one on that communicator.
double ringWhileMade(MPI_Comm communicator, Faults& faults, Owned& made) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    const int next = (rank + 1) % size;
    const int previous = (rank + size - 1) % size;
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int first = -1;
    faults.step();
    MPI_Comm_idup(communicator, &made.handle, requests.data());
    faults.step();
    MPI_Irecv(&first, 1, MPI_INT, previous, 3, communicator, &requests[1]);
    faults.step();
    MPI_Send(&rank, 1, MPI_INT, next, 3, communicator);
    faults.step();
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    std::array<int, 2> second{-1, -1};
    const std::array<int, 2> own{rank, size};
    faults.step();
    MPI_Irecv(second.data(), 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, made.handle, requests.data());
    faults.step();
    MPI_Isend(own.data(), 2, MPI_INT, next, 4, made.handle, &requests[1]);
    faults.step();
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    double sum = first + second[0];
    double all = 0;
    faults.step();
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, made.handle);
    return all;
}

/// Exchanges numbers with the other group of an intercommunicator.
double cross(MPI_Comm between, Faults& faults, bool isEven) {
    int rank = 0;
    int others = 0;
    MPI_Comm_rank(between, &rank);
    MPI_Comm_remote_size(between, &others);
    const int partner = rank < others ? rank : MPI_PROC_NULL;
    const double own = isEven ? 1 + rank : -1 - rank;
    double got = 0;
    faults.step();
    MPI_Sendrecv(&own, 1, MPI_DOUBLE, partner, 6, &got, 1, MPI_DOUBLE, partner, 6, between, MPI_STATUS_IGNORE);
    double sum = 0;
    faults.step();
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, between);
    double told = sum;
    const int root = isEven ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
    faults.step();
    MPI_Bcast(&told, 1, MPI_DOUBLE, root, between);
    MPI_Request request = MPI_REQUEST_NULL;
    faults.step();
    MPI_Ibarrier(between, &request);
    faults.step();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0 && isEven) {
        faults.step();
        MPI_Ssend(&sum, 1, MPI_DOUBLE, 0, 7, between);
    } else if (rank == 0) {
        faults.step();
        MPI_Recv(&told, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 7, between, MPI_STATUS_IGNORE);
    }
    return got + 3 * sum + 5 * told;
}

}    // namespace

double bridges(MPI_Comm communicator, Faults& faults) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    const MPI_Comm between = bridge(communicator, rank, size);
    Owned made;
    double result = ringWhileMade(communicator, faults, made);
    if (size > 1) {
        const bool isEven = rank % 2 == 0;
        result += cross(between, faults, isEven);
        Owned copy;
        faults.step();
        MPI_Comm_dup(between, &copy.handle);
        result += cross(copy.handle, faults, isEven);
    }
    double sum = 0;
    faults.step();
    MPI_Allreduce(&result, &sum, 1, MPI_DOUBLE, MPI_SUM, made.handle);
    return sum;
}

}    // namespace ferry::test
