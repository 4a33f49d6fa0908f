// Guarded regions inside the region of the campaign: on the same communicator, and on halves of it. Messages of the outer region are
// under way.
#include <cstddef>
#include <numeric>
#include <vector>

#include <ferry/guard/region/guarded.hpp>
#include <ferry/tests/guard/Codes.hpp>

namespace ferry::test {

namespace {

constexpr int count = 1000;

class Half {
public:
    Half(MPI_Comm communicator, int rank) { MPI_Comm_split(communicator, rank % 2, -rank, &handle_); }
    Half(const Half&) = delete;
    Half& operator=(const Half&) = delete;
    ~Half() {
        if (handle_ != MPI_COMM_NULL) MPI_Comm_free(&handle_);
    }
    MPI_Comm handle() const noexcept { return handle_; }

private:
    MPI_Comm handle_ = MPI_COMM_NULL;
};

double ringSum(MPI_Comm communicator, double value, Faults& faults) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    const std::vector<double> sent(count, value);
    std::vector<double> received(count);
    faults.step();
    MPI_Sendrecv(sent.data(), count, MPI_DOUBLE, (rank + 1) % size, 2, received.data(), count, MPI_DOUBLE, (rank + size - 1) % size, 2,
                 communicator, MPI_STATUS_IGNORE);
    const double own = std::accumulate(received.begin(), received.end(), 0.0);
    double sum = 0;
    faults.step();
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, communicator);
    return sum;
}

}    // namespace

double nested(MPI_Comm communicator, Faults& faults) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    double sum = 0;
    faults.step();
    guarded(communicator, [&] { sum += ringSum(communicator, rank + 1, faults); });
    faults.step();
    const Half half(communicator, rank);
    double border = rank;
    double other = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    faults.step();
    MPI_Irecv(&other, 1, MPI_DOUBLE, (rank + size - 1) % size, 3, communicator, &request);
    guarded(half.handle(), [&] {
        sum += ringSum(half.handle(), rank + 2, faults);
        guarded(half.handle(), [&] { sum += ringSum(half.handle(), rank + 3, faults); });
    });
    faults.step();
    MPI_Send(&border, 1, MPI_DOUBLE, (rank + 1) % size, 3, communicator);
    faults.step();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    sum += other;
    double total = 0;
    faults.step();
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, communicator);
    return total;
}

}    // namespace ferry::test
