// Ping-pong between two ranks in one run: an object that holds a vector of ints, the same ints with plain MPI_Send/MPI_Recv, and the same
// object with Boost.MPI. Also measures the CPU time of a waiting rank.
//     mpirun -np 2 build/release/bin/benchConnector
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <thread>
#include <vector>

#include <mpi.h>

#ifdef FERRY_BENCH_BOOST_MPI
#include <boost/mpi.hpp>
#include <boost/serialization/vector.hpp>
#endif

#include <ferry/connector/transport/mpi/MpiTransport.hpp>
#include <ferry/ferry.hpp>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int windowCount = 31;

class Ball : public ferry::Message {
public:
    FERRY_CLASS(Ball)
    FERRY_FIELDS(values)
    std::vector<int> values;
};

#ifdef FERRY_BENCH_BOOST_MPI
struct BoostBall {
    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& values;
    }
    std::vector<int> values;
};
#endif

/// A quarter of the windows is faster than the result. The quartile suits, because other processes on the machine can only make a window
/// slower.
double lowerQuartileOf(std::vector<double> values) {
    const auto quarter = static_cast<std::ptrdiff_t>(values.size() / 4);
    std::nth_element(values.begin(), values.begin() + quarter, values.end());
    return values[static_cast<std::size_t>(quarter)];
}

/// Returns the time of one direction in microseconds.
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

/// Makes a new object for each message.
void objectExchange(ferry::Connector& connector, Ball& ball) {
    if (connector.rank() == 0) {
        connector.send(1, ball);
        ball = connector.receive<Ball>(1);
    } else {
        ball = connector.receive<Ball>(0);
        connector.send(0, ball);
    }
}

/// Reuses the memory of the object, like plain MPI.
void objectExchangeInto(ferry::Connector& connector, Ball& ball) {
    if (connector.rank() == 0) {
        connector.send(1, ball);
        connector.receiveInto(1, ball);
    } else {
        connector.receiveInto(0, ball);
        connector.send(0, ball);
    }
}

#ifdef FERRY_BENCH_BOOST_MPI
void boostExchange(const boost::mpi::communicator& world, BoostBall& ball) {
    if (world.rank() == 0) {
        world.send(1, 0, ball);
        world.recv(1, 0, ball);
    } else {
        world.recv(0, 0, ball);
        world.send(0, 0, ball);
    }
}
#endif

int roundsFor(std::size_t intCount) {
    if (intCount <= 1024) return 1000;
    if (intCount <= 65536) return 200;
    return intCount <= 262144 ? 30 : 2;
}

void benchPingPong(ferry::Connector& connector) {
    if (connector.isMaster())
        std::printf(
            "| bytes | MPI_Send/MPI_Recv, us | receiveInto, us | ratio | receive, us | ratio | Boost.MPI, us | ratio |\n"
            "|---|---|---|---|---|---|---|---|\n");
#ifdef FERRY_BENCH_BOOST_MPI
    const boost::mpi::communicator world;
#endif
    for (const std::size_t intCount : {1u, 16u, 256u, 1024u, 4096u, 16384u, 65536u, 262144u, 16777216u}) {
        std::vector<int> ints(intCount, 7);
        Ball ball;
        ball.values = ints;
        const int rounds = roundsFor(intCount);
        std::vector<double> plain;
        std::vector<double> into;
        std::vector<double> object;
        std::vector<double> boost;
#ifdef FERRY_BENCH_BOOST_MPI
        BoostBall boostBall{ints};
#endif
        for (int window = 0; window <= windowCount; ++window) {
            const double plainUs = timeExchange(rounds, [&] { plainExchange(connector.rank(), ints); });
            const double intoUs = timeExchange(rounds, [&] { objectExchangeInto(connector, ball); });
            const double objectUs = timeExchange(rounds, [&] { objectExchange(connector, ball); });
            double boostUs = 0;
#ifdef FERRY_BENCH_BOOST_MPI
            boostUs = timeExchange(rounds, [&] { boostExchange(world, boostBall); });
#endif
            if (window == 0) continue;    // warm-up
            plain.push_back(plainUs);
            into.push_back(intoUs);
            object.push_back(objectUs);
            boost.push_back(boostUs);
        }
        if (!connector.isMaster()) continue;
        const double base = lowerQuartileOf(plain);
        std::printf("| %zu | %.3f | %.3f | %.2f | %.3f | %.2f | %.3f | %.2f |\n", intCount * sizeof(int), base, lowerQuartileOf(into),
                    lowerQuartileOf(into) / base, lowerQuartileOf(object), lowerQuartileOf(object) / base, lowerQuartileOf(boost),
                    lowerQuartileOf(boost) / base);
    }
}

/// Prints the share of a core that a rank uses while it waits several seconds for a message.
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
