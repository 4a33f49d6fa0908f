// Communicators of some of the ranks, made and freed during the run, and the collectives with lengths and blocks.
#include <cstddef>
#include <numeric>
#include <vector>

#include <ferry/tests/guard/Codes.hpp>

namespace ferry::test {

namespace {

/// A communicator that is freed by its owner's destructor.
class Part {
public:
    Part(MPI_Comm communicator, int colour, int key) { MPI_Comm_split(communicator, colour, key, &handle_); }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    ~Part() {
        if (handle_ != MPI_COMM_NULL) MPI_Comm_free(&handle_);
    }
    MPI_Comm handle() const noexcept { return handle_; }

private:
    MPI_Comm handle_ = MPI_COMM_NULL;
};

double work(MPI_Comm communicator, Faults& faults) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    const auto count = static_cast<std::size_t>(size);
    std::vector<int> counts(count), places(count), values(count, rank + 1), others(count);
    std::iota(counts.begin(), counts.end(), 1);
    std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
    faults.step();
    MPI_Alltoall(values.data(), 1, MPI_INT, others.data(), 1, MPI_INT, communicator);
    int before = 0;
    faults.step();
    MPI_Scan(&rank, &before, 1, MPI_INT, MPI_SUM, communicator);
    std::vector<int> own(static_cast<std::size_t>(rank + 1), before);
    std::vector<int> all(static_cast<std::size_t>(places.back() + counts.back()));
    faults.step();
    MPI_Gatherv(own.data(), rank + 1, MPI_INT, all.data(), counts.data(), places.data(), MPI_INT, size - 1, communicator);
    faults.step();
    MPI_Bcast(all.data(), static_cast<int>(all.size()), MPI_INT, size - 1, communicator);
    faults.step();
    MPI_Barrier(communicator);
    return std::accumulate(all.begin(), all.end(), 0.0) + std::accumulate(others.begin(), others.end(), 0.0);
}

}    // namespace

double splitter(MPI_Comm communicator, Faults& faults) {
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    faults.step();
    const Part halves(communicator, rank % 2, -rank);
    double sum = work(halves.handle(), faults);
    {
        faults.step();
        const Part again(halves.handle(), rank / 2 % 2, rank);
        sum += work(again.handle(), faults);
    }
    std::vector<double> sums;
    int size = 0;
    MPI_Comm_size(communicator, &size);
    sums.resize(static_cast<std::size_t>(size));
    faults.step();
    MPI_Allgather(&sum, 1, MPI_DOUBLE, sums.data(), 1, MPI_DOUBLE, communicator);
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}    // namespace ferry::test
