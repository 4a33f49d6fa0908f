// Collectives of vectors of ints from 4 B to 4 MiB per rank. Ferry is measured by value (the result is a new vector) and into memory of the
// caller. For comparison, the calls of plain MPI and, where they exist, of Boost.MPI are measured too. All windows of one run are
// interleaved. A second table compares the two forms of the collectives of values that are not plain data: the blocking call, and the
// started one whose end is awaited at once.
//     mpirun -np 2 build/release/bin/benchCollectives
//     FERRY_HOST_MEMORY=off mpirun -np 2 build/release/bin/benchCollectives forms     the second table alone, all of it by letters
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpi.h>

#include <ferry/connector/transport/mpi/MpiTransport.hpp>
#include <ferry/ferry.hpp>

#ifdef FERRY_BENCH_BOOST_MPI
#include <boost/mpi.hpp>
#include <boost/mpi/collectives/all_gatherv.hpp>
#endif

namespace {

using Clock = std::chrono::steady_clock;
using Ints = std::vector<int>;

constexpr int windowCount = 15;

double medianOf(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Microseconds of one call.
double timeCalls(int rounds, const std::function<void()>& call) {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto start = Clock::now();
    for (int round = 0; round < rounds; ++round) call();
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count() / rounds;
}

/// The data of all contenders: `count` ints for each rank or from each rank, and memory for results.
struct Data {
    Data(int rankCount, int elementCount)
        : count(elementCount),
          mine(static_cast<std::size_t>(elementCount), 1),
          row(static_cast<std::size_t>(elementCount) * static_cast<std::size_t>(rankCount), 2),
          result(row.size()),
          counts(static_cast<std::size_t>(rankCount), elementCount),
          displacements(static_cast<std::size_t>(rankCount)) {
        for (int rank = 0; rank < rankCount; ++rank) displacements[static_cast<std::size_t>(rank)] = rank * count;
    }
    int count;
    Ints mine;
    Ints row;
    Ints result;
    Ints counts;
    Ints displacements;
};

/// The implementations of one collective. An empty function means that the implementation does not exist.
struct Collective {
    const char* name;
    std::function<void(Data&)> plain;
    std::function<void(Data&)> into;
    std::function<void(Data&)> byValue;
    std::function<void(Data&)> boost;
};

std::vector<Collective> collectivesOf(ferry::Connector& c) {
    std::vector<Collective> all;
    all.push_back({"broadcast",
                   [](Data& d) { MPI_Bcast(d.mine.data(), d.count, MPI_INT, 0, MPI_COMM_WORLD); },
                   [&c](Data& d) { c.broadcast(std::span(d.mine), 0); },
                   [&c](Data& d) { d.mine = c.broadcast(std::move(d.mine), 0); },
                   {}});
    all.push_back({"allReduce",
                   [](Data& d) { MPI_Allreduce(d.mine.data(), d.result.data(), d.count, MPI_INT, MPI_SUM, MPI_COMM_WORLD); },
                   [&c](Data& d) { c.allReduce(d.mine, ferry::Sum{}, {.into = d.result}); },
                   [&c](Data& d) { static_cast<void>(c.allReduce(d.mine, ferry::Sum{})); },
                   {}});
    all.push_back({"allGather",
                   [](Data& d) { MPI_Allgather(d.mine.data(), d.count, MPI_INT, d.result.data(), d.count, MPI_INT, MPI_COMM_WORLD); },
                   [&c](Data& d) { c.allGather(d.mine, {.counts = d.counts, .into = d.result}); },
                   [&c](Data& d) { static_cast<void>(c.allGather(d.mine)); },
                   {}});
    all.push_back({"allGatherv",
                   [](Data& d) {
                       MPI_Allgatherv(d.mine.data(), d.count, MPI_INT, d.result.data(), d.counts.data(), d.displacements.data(), MPI_INT,
                                      MPI_COMM_WORLD);
                   },
                   [&c](Data& d) { c.allGather(d.mine, {.counts = d.counts, .into = d.result}); },
                   [&c](Data& d) { static_cast<void>(c.allGather(d.mine)); },
                   {}});
    all.push_back({"allToAllv",
                   [](Data& d) {
                       MPI_Alltoallv(d.row.data(), d.counts.data(), d.displacements.data(), MPI_INT, d.result.data(), d.counts.data(),
                                     d.displacements.data(), MPI_INT, MPI_COMM_WORLD);
                   },
                   [&c](Data& d) { c.allToAll(d.row, {.counts = d.counts, .into = d.result}); },
                   {},
                   {}});
#ifdef FERRY_BENCH_BOOST_MPI
    static const boost::mpi::communicator world(MPI_COMM_WORLD, boost::mpi::comm_attach);
    all[0].boost = [](Data& d) { boost::mpi::broadcast(world, d.mine.data(), d.count, 0); };
    all[1].boost = [](Data& d) { boost::mpi::all_reduce(world, d.mine.data(), d.count, d.result.data(), std::plus<int>()); };
    all[2].boost = [](Data& d) { boost::mpi::all_gather(world, d.mine.data(), d.count, d.result.data()); };
    all[3].boost = [](Data& d) { boost::mpi::all_gatherv(world, d.mine.data(), d.result.data(), d.counts, d.displacements); };
#endif
    return all;
}

int roundsFor(int count, int rankCount) {
    const int rounds = count <= 1024 ? 2000 : count <= 16384 ? 300 : count <= 262144 ? 30 : 10;
    return rankCount <= 2 ? rounds : std::max(5, rounds / 4);
}

/// Prints "us (ratio)".
void printCell(double time, double plain) { std::printf(" %.3f (%.2f) |", time, time / plain); }

void bench(ferry::Connector& c, const Collective& collective, int count) {
    Data data(c.size(), count);
    const std::function<void(Data&)>* const ways[] = {&collective.plain, &collective.into, &collective.byValue, &collective.boost};
    std::vector<double> times[4];
    for (int window = 0; window <= windowCount; ++window) {
        for (int way = 0; way < 4; ++way) {
            if (!*ways[way]) continue;
            const double time = timeCalls(roundsFor(count, c.size()), [&] { (*ways[way])(data); });
            if (window != 0) times[way].push_back(time);    // the first window is a warm-up
        }
    }
    if (!c.isMaster()) return;
    const double plain = medianOf(times[0]);
    std::printf("| %s | %zu | %.3f |", collective.name, static_cast<std::size_t>(count) * sizeof(int), plain);
    for (int way = 1; way < 4; ++way) {
        if (times[way].empty())
            std::printf(" - |");
        else
            printCell(medianOf(times[way]), plain);
    }
    std::printf("\n");
    std::fflush(stdout);
}

/// Prints the times of both forms of a collective.
void compareForms(ferry::Connector& connector, const char* name, const std::function<void()>& blocking,
                  const std::function<void()>& started) {
    constexpr int rounds = 1000;
    std::vector<double> blockingTimes;
    std::vector<double> startedTimes;
    std::vector<double> ratios;
    for (int window = 0; window <= windowCount; ++window) {
        const double blockingTime = timeCalls(rounds, blocking);
        const double startedTime = timeCalls(rounds, started);
        if (window == 0) continue;    // a warm-up
        blockingTimes.push_back(blockingTime);
        startedTimes.push_back(startedTime);
        ratios.push_back(startedTime / blockingTime);
    }
    if (connector.isMaster())
        std::printf("| %s | %.3f | %.3f | %.2f |\n", name, medianOf(blockingTimes), medianOf(startedTimes), medianOf(ratios));
}

void compareAllForms(ferry::Connector& c) {
    if (c.isMaster())
        std::printf("%d ranks, us\n\n| collective | blocking | started, and awaited | ratio |\n|---|---|---|---|\n", c.size());
    const std::vector<std::string> text(4, "a text that is too long to lie within a string");
    const std::vector<std::vector<std::string>> texts(static_cast<std::size_t>(c.size()), text);
    const auto drop = [](const auto& result) { static_cast<void>(result); };
    compareForms(
        c, "barrier", [&] { c.barrier(); }, [&] { c.startBarrier().get(); });
    compareForms(
        c, "broadcast of 4 texts", [&] { drop(c.broadcast(text, 0)); }, [&] { drop(c.startBroadcast(text, 0).get()); });
    compareForms(
        c, "gather of 4 texts", [&] { drop(c.gather(text, 0)); }, [&] { drop(c.startGather(text, 0).get()); });
    compareForms(
        c, "allGather of 4 texts", [&] { drop(c.allGather(text)); }, [&] { drop(c.startAllGather(text).get()); });
    compareForms(
        c, "scatter of 4 texts", [&] { drop(c.scatter(texts, 0)); }, [&] { drop(c.startScatter(texts, 0).get()); });
    compareForms(
        c, "allToAll of 4 texts", [&] { drop(c.allToAll(texts)); }, [&] { drop(c.startAllToAll(texts).get()); });
    compareForms(
        c, "allReduce of an int", [&] { drop(c.allReduce(1, std::plus<>())); }, [&] { drop(c.startAllReduce(1, std::plus<>()).get()); });
}

void compareWithMpi(ferry::Connector& connector) {
    if (connector.isMaster())
        std::printf(
            "%d ranks, us (times plain MPI)\n\n| collective | bytes of a rank | plain MPI | ferry, into memory | ferry, by value | "
            "Boost.MPI |\n|---|---|---|---|---|---|\n",
            connector.size());
    for (const Collective& collective : collectivesOf(connector)) {
        for (const int count : {1, 16, 256, 1024, 4096, 16384, 65536, 262144, 1048576}) bench(connector, collective, count);
    }
    if (connector.isMaster()) std::printf("\n");
}

}    // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        ferry::Connector connector(ferry::mpiTransport(MPI_COMM_WORLD));
        const bool isOfFormsAlone = argc > 1 && std::string_view(argv[1]) == "forms";
        if (!isOfFormsAlone) compareWithMpi(connector);
        compareAllForms(connector);
        connector.close();
    }
    MPI_Finalize();
}
