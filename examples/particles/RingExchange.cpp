#include <ferry/examples/particles/RingExchange.hpp>

#include <array>
#include <cstddef>

namespace {

constexpr int leftwards = 1;
constexpr int rightwards = 2;

}    // namespace

RingExchange::RingExchange(MPI_Comm communicator) {
    MPI_Comm_dup(communicator, &communicator_);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(communicator_, &rank);
    MPI_Comm_size(communicator_, &size);
    left_ = (rank + size - 1) % size;
    right_ = (rank + 1) % size;
}

RingExchange::~RingExchange() { MPI_Comm_free(&communicator_); }

std::vector<double> RingExchange::exchange(const std::vector<double>& toLeft, const std::vector<double>& toRight) const {
    std::array<MPI_Request, 2> sends{};
    MPI_Isend(toLeft.data(), static_cast<int>(toLeft.size()), MPI_DOUBLE, left_, leftwards, communicator_, &sends[0]);
    MPI_Isend(toRight.data(), static_cast<int>(toRight.size()), MPI_DOUBLE, right_, rightwards, communicator_, &sends[1]);
    std::vector<double> received;
    receive(left_, rightwards, received);
    receive(right_, leftwards, received);
    MPI_Waitall(2, sends.data(), MPI_STATUSES_IGNORE);
    return received;
}

void RingExchange::receive(int from, int tag, std::vector<double>& received) const {
    MPI_Status status;
    int count = 0;
    MPI_Probe(from, tag, communicator_, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    const std::size_t before = received.size();
    received.resize(before + static_cast<std::size_t>(count));
    MPI_Recv(received.data() + before, count, MPI_DOUBLE, from, tag, communicator_, MPI_STATUS_IGNORE);
}
