// Messages with unknown senders and lengths, taken by matched probes.
#include <cstddef>
#include <numeric>
#include <vector>

#include <ferry/tests/guard/Codes.hpp>

namespace ferry::test {

namespace {

constexpr int tag = 11;

/// Whole numbers, so that the sum does not depend on the order.
std::vector<double> lettersFor(int rank, int to) {
    return std::vector<double>(static_cast<std::size_t>(1 + 9000 * ((rank + to) % 3)), rank + 2.0 * to);
}

double receiveMatched(MPI_Message* message, const MPI_Status& status, Faults& faults, bool isStarted) {
    int count = 0;
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    std::vector<double> values(static_cast<std::size_t>(count));
    faults.step();
    if (isStarted) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Imrecv(values.data(), count, MPI_DOUBLE, message, &request);
        faults.step();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Mrecv(values.data(), count, MPI_DOUBLE, message, MPI_STATUS_IGNORE);
    }
    return std::accumulate(values.begin(), values.end(), 0.0);
}

}    // namespace

double probed(MPI_Comm communicator, Faults& faults) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    std::vector<std::vector<double>> sent(static_cast<std::size_t>(size));
    std::vector<MPI_Request> sends(sent.size(), MPI_REQUEST_NULL);
    for (int to = 0; to < size; ++to) {
        auto& values = sent[static_cast<std::size_t>(to)];
        values = lettersFor(rank, to);
        faults.step();
        MPI_Isend(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, to, tag, communicator, &sends[static_cast<std::size_t>(to)]);
    }
    double sum = 0;
    for (int taken = 0; taken < size; ++taken) {
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        faults.step();
        if (taken % 2 == 0) {
            MPI_Mprobe(MPI_ANY_SOURCE, tag, communicator, &message, &status);
        } else {
            for (int hasCome = 0; hasCome == 0;) MPI_Improbe(MPI_ANY_SOURCE, tag, communicator, &hasCome, &message, &status);
        }
        sum += receiveMatched(&message, status, faults, taken % 3 == 0);
    }
    faults.step();
    MPI_Waitall(size, sends.data(), MPI_STATUSES_IGNORE);
    double total = 0;
    faults.step();
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, communicator);
    return total;
}

}    // namespace ferry::test
