// Ping-pong of an object that holds a vector of ints, and of plain MPI_Send/MPI_Recv of the same ints, between two ranks in one run, and
// what a waiting rank costs.
//     mpirun -np 2 build/release/bin/benchConnector
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <thread>
#include <vector>

#include <mpi.h>

#include <ferry/connector/transport/MpiTransport.hpp>
#include <ferry/ferry.hpp>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int windowCount = 15;

class Ball : public ferry::Message {
public:
    FERRY_CLASS(Ball)
    FERRY_FIELDS(values)
    std::vector<int> values;
};

double medianOf(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Microseconds one way.
template <class Exchange>
double timeExchange(int rounds, Exchange exchange) {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto start = Clock::now();
    for (int round = 0; round < rounds; ++round) exchange();
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count() / rounds / 2;
}

void plainExchange(int rank, std::vector<int>& ints) {
    const int count = static_cast<int>(ints.size());
    if (rank == 0) {
        MPI_Send(ints.data(), count, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(ints.data(), count, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(ints.data(), count, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(ints.data(), count, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
}

void objectExchange(ferry::Connector& connector, Ball& ball) {
    if (connector.rank() == 0) {
        connector.send(1, ball);
        ball = connector.receive<Ball>(1);
    } else {
        ball = connector.receive<Ball>(0);
        connector.send(0, ball);
    }
}

void benchPingPong(ferry::Connector& connector) {
    if (connector.isMaster()) std::printf("| bytes | MPI_Send/MPI_Recv, us | object, us | ratio |\n|---|---|---|---|\n");
    for (const std::size_t intCount : {1u, 16u, 256u, 1024u, 16384u, 262144u}) {
        std::vector<int> ints(intCount, 7);
        Ball ball;
        ball.values = ints;
        const int rounds = intCount <= 1024 ? 2000 : intCount <= 16384 ? 300 : 30;
        std::vector<double> plain;
        std::vector<double> object;
        for (int window = 0; window <= windowCount; ++window) {
            const double plainUs = timeExchange(rounds, [&] { plainExchange(connector.rank(), ints); });
            const double objectUs = timeExchange(rounds, [&] { objectExchange(connector, ball); });
            if (window == 0) continue;    // warm-up
            plain.push_back(plainUs);
            object.push_back(objectUs);
        }
        if (!connector.isMaster()) continue;
        std::printf("| %zu | %.3f | %.3f | %.2f |\n", intCount * sizeof(int), medianOf(plain), medianOf(object),
                    medianOf(object) / medianOf(plain));
    }
}

/// The share of a core that a rank uses while it waits for a message that comes after some seconds.
void benchWait(ferry::Connector& connector) {
    constexpr int waitS = 3;
    if (connector.isMaster()) {
        std::this_thread::sleep_for(std::chrono::seconds(waitS));
        connector.send(1, 1);
        std::printf("\na rank that waits %d s uses %.2f %% of a core\n", waitS, connector.receive<double>(1));
    } else {
        const std::clock_t before = std::clock();
        static_cast<void>(connector.receive<int>(0));
        connector.send(0, 100.0 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC / waitS);
    }
}

}    // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int status = 0;
    {
        ferry::Connector connector(ferry::mpiTransport(MPI_COMM_WORLD));
        if (connector.size() == 2) {
            benchPingPong(connector);
            benchWait(connector);
        } else {
            if (connector.isMaster()) std::fprintf(stderr, "start it with two ranks: mpirun -np 2 %s\n", argv[0]);
            status = 2;
        }
        connector.close();
    }
    MPI_Finalize();
    return status;
}
