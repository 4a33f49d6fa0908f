// Particles go to ranks that do not know the number of incoming messages. The code uses synchronous sends, probes, and a barrier.
// A rank starts the barrier when its own particles have arrived (Hoefler, Siebert and Lumsdaine, 2010).
#include <cstddef>
#include <numeric>
#include <vector>

#include <ferry/tests/guard/Codes.hpp>

namespace ferry::test {

namespace {

constexpr int rounds = 3;

/// Takes all messages that have arrived from any rank.
void takeArrived(MPI_Comm communicator, std::vector<double>& taken) {
    int hasCome = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 5, communicator, &hasCome, &status);
    if (hasCome == 0) return;
    int count = 0;
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    const std::size_t before = taken.size();
    taken.resize(before + static_cast<std::size_t>(count));
    MPI_Recv(taken.data() + before, count, MPI_DOUBLE, status.MPI_SOURCE, 5, communicator, MPI_STATUS_IGNORE);
}

double exchange(MPI_Comm communicator, Faults& faults, int round) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    std::vector<std::vector<double>> leaving(static_cast<std::size_t>(size));
    std::vector<MPI_Request> sends;
    for (int to = 0; to < size; ++to) {
        if ((rank + to + round) % 3 == 0) continue;
        auto& particles = leaving[static_cast<std::size_t>(to)];
        particles.assign(static_cast<std::size_t>(1 + 700 * ((rank + to) % 4)), rank + 0.5 * to + round);
        faults.step();
        MPI_Issend(particles.data(), static_cast<int>(particles.size()), MPI_DOUBLE, to, 5, communicator, &sends.emplace_back());
    }
    std::vector<double> taken;
    MPI_Request barrier = MPI_REQUEST_NULL;
    bool isStarted = false;
    for (int isOver = 0; isOver == 0;) {
        takeArrived(communicator, taken);
        if (isStarted) {
            MPI_Test(&barrier, &isOver, MPI_STATUS_IGNORE);
            continue;
        }
        int haveArrived = 0;
        MPI_Testall(static_cast<int>(sends.size()), sends.data(), &haveArrived, MPI_STATUSES_IGNORE);
        if (haveArrived == 0) continue;
        faults.step();
        MPI_Ibarrier(communicator, &barrier);
        isStarted = true;
    }
    return std::accumulate(taken.begin(), taken.end(), 0.0);
}

}    // namespace

double dynamicExchange(MPI_Comm communicator, Faults& faults) {
    double sum = 0;
    for (int round = 0; round < rounds; ++round) {
        sum += exchange(communicator, faults, round);
        faults.step();
        MPI_Barrier(communicator);    // all rounds use the same tag
    }
    double total = 0;
    faults.step();
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, communicator);
    return total;
}

}    // namespace ferry::test
