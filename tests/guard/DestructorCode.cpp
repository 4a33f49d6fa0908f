// Classes whose destructors communicate in normal flow: borders that are under way until the end of a scope,
// a log that all ranks write together, and a token that goes from rank to rank.
#include <array>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include <ferry/tests/guard/Codes.hpp>

namespace ferry::test {

namespace {

struct Ring {
    explicit Ring(MPI_Comm theCommunicator) : communicator(theCommunicator) {
        MPI_Comm_rank(communicator, &rank);
        MPI_Comm_size(communicator, &size);
    }
    int next() const { return (rank + 1) % size; }
    int previous() const { return (rank + size - 1) % size; }

    MPI_Comm communicator;
    int rank = 0;
    int size = 0;
};

/// The constructor starts the exchange. The destructor waits for it.
class Borders {
public:
    Borders(const Ring& ring, std::vector<double>& received, double value) : sent_(received.size(), value) {
        const int count = static_cast<int>(received.size());
        MPI_Irecv(received.data(), count, MPI_DOUBLE, ring.previous(), 3, ring.communicator, requests_.data());
        MPI_Isend(sent_.data(), count, MPI_DOUBLE, ring.next(), 3, ring.communicator, &requests_[1]);
    }
    Borders(const Borders&) = delete;
    Borders& operator=(const Borders&) = delete;
    ~Borders() { MPI_Waitall(2, requests_.data(), MPI_STATUSES_IGNORE); }

private:
    std::vector<double> sent_;
    std::array<MPI_Request, 2> requests_{};
};

/// The destructor sums up the values that all ranks have written.
class Log {
public:
    Log(const Ring& ring, double& total) : ring_(ring), total_(total) {}
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;
    ~Log() {
        MPI_Barrier(ring_.communicator);
        const double own = std::accumulate(values_.begin(), values_.end(), 0.0);
        MPI_Allreduce(&own, &total_, 1, MPI_DOUBLE, MPI_SUM, ring_.communicator);
        if (total_ > 1e9) hand(std::to_string(total_));
    }
    void write(double value) { values_.push_back(value); }

private:
    void hand(const std::string& text) const {
        MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, ring_.next(), 4, ring_.communicator);
    }

    Ring ring_;
    double& total_;
    std::vector<double> values_;
};

/// Passes the token once around the ring.
void passToken(const Ring& ring, double& token) noexcept {
    std::vector<double> kept(100, token);
    const int count = static_cast<int>(kept.size());
    if (ring.rank == 0 && ring.size > 1) MPI_Ssend(kept.data(), count, MPI_DOUBLE, ring.next(), 5, ring.communicator);
    if (ring.size > 1) MPI_Recv(kept.data(), count, MPI_DOUBLE, ring.previous(), 5, ring.communicator, MPI_STATUS_IGNORE);
    if (ring.rank != 0) MPI_Send(kept.data(), count, MPI_DOUBLE, ring.next(), 5, ring.communicator);
    token = kept.back() + ring.size;
}

double exchange(const Ring& ring, std::size_t count, int round, Faults& faults) {
    std::vector<double> received(count);
    {
        const Borders borders(ring, received, ring.rank + round);
        faults.step();
    }
    return std::accumulate(received.begin(), received.end(), 0.0);
}

}    // namespace

double destructors(MPI_Comm communicator, Faults& faults) {
    const Ring ring(communicator);
    double total = 0;
    double token = 1;
    double result = 0;
    for (int round = 0; round < 4; ++round) {
        {
            Log log(ring, total);
            faults.step();
            log.write(exchange(ring, round % 2 == 0 ? 10 : 20'000, round, faults));
            faults.step();
        }
        faults.step();
        passToken(ring, token);
        result += total + token;
    }
    faults.step();
    double sum = 0;
    MPI_Allreduce(&result, &sum, 1, MPI_DOUBLE, MPI_SUM, communicator);
    return sum;
}

}    // namespace ferry::test
