// Compares algorithms that MPI lacks with the same algorithms written by hand with plain MPI, and with Boost.MPI if it is installed. The
// algorithms are a sort of 1e6 numbers per rank, an exchange of each rank with a few others, and a breadth-first search. The last one is a
// reduction whose result has the same bits for any number of ranks.
//     mpirun -np 4 build/release/bin/benchAlgorithms
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>
#ifdef FERRY_BENCH_BOOST_MPI
#include <boost/mpi.hpp>
#include <boost/serialization/vector.hpp>
#endif

#include <ferry/ferry.hpp>

#include <ferry/benchmarks/algorithms/ByHand.hpp>
#include <ferry/benchmarks/algorithms/Contest.hpp>
#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#include <ferry/examples/verbs/breadthFirstSearch.hpp>
#include <ferry/examples/verbs/sampleSort.hpp>

namespace {

using bench::Contender;
using bench::Number;
using bench::Numbers;

constexpr std::size_t sortedPerRank = 1'000'000;
constexpr std::size_t doublesPerRank = (std::size_t{1} << 20) / sizeof(double);

Numbers randomNumbers(int seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    Numbers numbers(sortedPerRank);
    for (Number& number : numbers) number = random();
    return numbers;
}

#ifdef FERRY_BENCH_BOOST_MPI
Numbers sortWithBoost(const boost::mpi::communicator& world, Numbers numbers) {
    std::sort(numbers.begin(), numbers.end());
    const Numbers own = bench::samplesOf(numbers);
    Numbers samples;
    boost::mpi::all_gather(world, own.data(), static_cast<int>(own.size()), samples);
    const std::vector<int> ends = bench::endsOfParts(numbers, samples, world.size());
    std::vector<Numbers> parts;
    for (std::size_t rank = 0; rank < ends.size(); ++rank)
        parts.emplace_back(numbers.begin() + (rank == 0 ? 0 : ends[rank - 1]), numbers.begin() + ends[rank]);
    std::vector<Numbers> arrived;
    boost::mpi::all_to_all(world, parts, arrived);
    Numbers received;
    std::vector<int> begins;
    for (const Numbers& part : arrived) {
        begins.push_back(static_cast<int>(received.size()));
        received.insert(received.end(), part.begin(), part.end());
    }
    bench::mergeRuns(received, begins);
    return received;
}
#endif

void measureSorts(ferry::Connector& c) {
    const Numbers own = randomNumbers(c.rank());
    Numbers sorted;
    std::vector<Contender> contenders{{"plain MPI", [&] { sorted = bench::sortWithMpi(own); }},
                                      {"ferry, `sort`", [&] { sorted = c.sort(own); }},
                                      {"ferry, the example", [&] { sorted = verbs::sampleSort(c, own); }}};
#ifdef FERRY_BENCH_BOOST_MPI
    const boost::mpi::communicator world(MPI_COMM_WORLD, boost::mpi::comm_attach);
    contenders.push_back({"Boost.MPI", [&, world] { sorted = sortWithBoost(world, own); }});
#endif
    bench::contest(c, "sort of 1e6 numbers of 64 bits per rank", contenders);
}

/// Each rank has numbers for the next two ranks only.
void measureSparseExchange(ferry::Connector& c, std::size_t count) {
    constexpr int exchangesPerRound = 200;
    std::map<int, Numbers> outgoing;
    for (int step = 1; step <= std::min(2, c.size() - 1); ++step) outgoing[(c.rank() + step) % c.size()] = Numbers(count, 1);
    std::map<int, Numbers> incoming;
    const auto often = [](auto exchange) {
        return [exchange] {
            for (int i = 0; i < exchangesPerRound; ++i) exchange();
        };
    };
    bench::contest(c, ("200 exchanges with two ranks, " + std::to_string(count * sizeof(Number)) + " bytes for each").c_str(),
                   {{"plain MPI, NBX", often([&] { incoming = bench::exchangeWithNbx(outgoing); })},
                    {"plain MPI, all with all", often([&] { incoming = bench::exchangeWithAllToAll(outgoing); })},
                    {"ferry, `sparseAllToAll`", often([&] { incoming = c.sparseAllToAll(outgoing); })}});
}

void measureSearch(ferry::Connector& c) {
    constexpr long verticesPerRank = 200'000;
    const verbs::BlockGraph graph(verticesPerRank * c.size(), c.rank(), c.size());
    std::vector<int> distances;
    bench::contest(c, "breadth-first search, 200000 vertices and 600000 edges per rank",
                   {{"plain MPI", [&] { distances = bench::breadthFirstSearchWithMpi(graph, 17); }},
                    {"ferry, the example", [&] { distances = verbs::breadthFirstSearch(c, graph, 17); }}});
    xassert(distances == bench::breadthFirstSearchWithMpi(graph, 17));
}

void measureReductions(ferry::Connector& c) {
    std::vector<double> own(doublesPerRank);
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = 1.0 / static_cast<double>(1 + i + static_cast<std::size_t>(c.rank()));
    std::vector<double> sums(own.size());
    double sum = 0;
    bench::contest(c, "reduction of 1 MiB of doubles per rank",
                   {{"MPI_Allreduce, element by element",
                     [&] { MPI_Allreduce(own.data(), sums.data(), static_cast<int>(own.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }},
                    {"sum here, MPI_Allreduce of one",
                     [&] {
                         double here = 0;
                         for (const double value : own) here += value;
                         MPI_Allreduce(&here, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
                     }},
                    {"ferry, `reproducibleAllReduce`, all to one", [&] { sum = c.reproducibleAllReduce(own, ferry::Sum{}); }}});
}

}    // namespace

int main(int argc, char** argv) {
    ferry::Application application(argc, argv);
    if (!ferry::detail::MpiEnvironment::isPresent()) {
        std::fprintf(stderr, "start it with mpirun: it compares with MPI\n");
        return 2;
    }
    return application.runOnAll([](ferry::Connector& c) {
        if (c.isMaster()) std::printf("| what | ranks | how | ms | times the first |\n|---|---|---|---|---|\n");
        measureSorts(c);
        for (const std::size_t count : {1, 128, 16384}) measureSparseExchange(c, count);
        measureSearch(c);
        measureReductions(c);
    });
}
