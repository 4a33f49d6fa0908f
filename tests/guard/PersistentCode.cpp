// A halo with persistent requests. A library makes some of them once for the process, others live as long as a solver object.
#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

#include <ferry/tests/guard/Codes.hpp>

namespace ferry::test {

namespace {

constexpr int smallCount = 50;
constexpr int largeCount = 20'000;

struct Neighbours {
    explicit Neighbours(MPI_Comm communicator) {
        MPI_Comm_rank(communicator, &rank);
        MPI_Comm_size(communicator, &size);
    }
    int next() const { return (rank + 1) % size; }
    int previous() const { return (rank + size - 1) % size; }
    int rank = 0;
    int size = 0;
};

/// Sends to the next rank and receives from the previous one. The destructor frees the requests, whatever their state.
class Exchange {
public:
    Exchange(MPI_Comm communicator, int tag, int count)
        : sent_(static_cast<std::size_t>(count)),
          received_(static_cast<std::size_t>(count)) {
        const Neighbours at(communicator);
        MPI_Recv_init(received_.data(), count, MPI_DOUBLE, at.previous(), tag, communicator, &requests_[0]);
        if (tag % 2 == 0)
            MPI_Send_init(sent_.data(), count, MPI_DOUBLE, at.next(), tag, communicator, &requests_[1]);
        else
            MPI_Ssend_init(sent_.data(), count, MPI_DOUBLE, at.next(), tag, communicator, &requests_[1]);
    }
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    ~Exchange() {
        for (MPI_Request& request : requests_) {
            if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
        }
    }

    MPI_Request* requests() { return requests_.data(); }
    void fill(double value) { sent_.assign(sent_.size(), value); }
    double sum() const { return std::accumulate(received_.begin(), received_.end(), 0.0); }

private:
    std::vector<double> sent_;
    std::vector<double> received_;
    std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

double exchangeAll(Exchange& exchange, Faults& faults, double value) {
    exchange.fill(value);
    faults.step();
    MPI_Startall(2, exchange.requests());
    faults.step();
    MPI_Waitall(2, exchange.requests(), MPI_STATUSES_IGNORE);
    return exchange.sum();
}

double exchangeSingly(Exchange& exchange, Faults& faults, double value) {
    exchange.fill(value);
    faults.step();
    MPI_Start(exchange.requests());
    faults.step();
    MPI_Start(exchange.requests() + 1);
    int index = 0;
    faults.step();
    MPI_Waitany(2, exchange.requests(), &index, MPI_STATUS_IGNORE);
    faults.step();
    MPI_Wait(exchange.requests() + (1 - index), MPI_STATUS_IGNORE);
    return exchange.sum();
}

double exchangeTesting(Exchange& exchange, Faults& faults, double value) {
    exchange.fill(value);
    faults.step();
    MPI_Startall(2, exchange.requests());
    std::array<int, 2> indices{};
    for (int done = 0, count = 0; done < 2; done += count) {
        MPI_Testsome(2, exchange.requests(), &count, indices.data(), MPI_STATUSES_IGNORE);
        if (count == MPI_UNDEFINED) break;
    }
    return exchange.sum();
}

}    // namespace

double persistent(MPI_Comm communicator, Faults& faults) {
    static auto* const ofLibrary = new Exchange(communicator, 20, largeCount);    // lives until the process ends, as in many libraries
    const Neighbours at(communicator);
    double result = 0;
    Exchange small(communicator, 21, smallCount);
    {
        Exchange large(communicator, 22, largeCount);
        for (int round = 0; round < 3; ++round) {
            result += exchangeAll(small, faults, at.rank + round);
            result += exchangeSingly(large, faults, 2 * at.rank + round);
            result += exchangeTesting(*ofLibrary, faults, at.rank * round);
        }
    }
    faults.step();
    MPI_Startall(2, small.requests());    // these requests are under way during a collective
    double total = 0;
    faults.step();
    MPI_Allreduce(&result, &total, 1, MPI_DOUBLE, MPI_SUM, communicator);
    faults.step();
    MPI_Waitall(2, small.requests(), MPI_STATUSES_IGNORE);
    return total;
}

}    // namespace ferry::test
