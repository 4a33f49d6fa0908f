// How long it takes to sort 1e6 numbers per rank, and to reduce 1 MiB per rank to one number that has the same bits for any number of
// ranks; against plain MPI, and Boost.MPI where it is.
//     mpirun -np 4 build/release/bin/benchAlgorithms
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
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

#include <ferry/connector/transport/MpiEnvironment.hpp>
#include <ferry/examples/verbs/sampleSort.hpp>

namespace {

using Number = std::uint64_t;
using Numbers = std::vector<Number>;

constexpr std::size_t sortedPerRank = 1'000'000;
constexpr std::size_t doublesPerRank = (std::size_t{1} << 20) / sizeof(double);
constexpr int roundCount = 9;

Numbers randomNumbers(int seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    Numbers numbers(sortedPerRank);
    for (Number& number : numbers) number = random();
    return numbers;
}

/// Where the parts for each rank end in sorted numbers; from samples of all ranks.
std::vector<int> endsOfParts(const Numbers& numbers, Numbers samples, int rankCount) {
    std::sort(samples.begin(), samples.end());
    std::vector<int> ends;
    for (int rank = 1; rank < rankCount; ++rank) {
        const Number splitter = samples[static_cast<std::size_t>(rank) * samples.size() / static_cast<std::size_t>(rankCount)];
        ends.push_back(static_cast<int>(std::lower_bound(numbers.begin(), numbers.end(), splitter) - numbers.begin()));
    }
    ends.push_back(static_cast<int>(numbers.size()));
    return ends;
}

Numbers samplesOf(const Numbers& numbers) {
    Numbers samples;
    for (std::size_t place = 0; place < numbers.size(); place += numbers.size() / 64) samples.push_back(numbers[place]);
    samples.resize(64);
    return samples;
}

/// Sorted runs, one behind the other, become one.
void mergeRuns(Numbers& numbers, const std::vector<int>& begins) {
    const std::size_t runCount = begins.size();
    const auto at = [&](std::size_t run) { return run < runCount ? numbers.begin() + begins[run] : numbers.end(); };
    for (std::size_t width = 1; width < runCount; width *= 2) {
        for (std::size_t left = 0; left + width < runCount; left += 2 * width)
            std::inplace_merge(at(left), at(left + width), at(left + 2 * width));
    }
}

Numbers sortWithMpi(Numbers numbers) {
    int rankCount = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &rankCount);
    std::sort(numbers.begin(), numbers.end());
    const Numbers own = samplesOf(numbers);
    Numbers samples(own.size() * static_cast<std::size_t>(rankCount));
    MPI_Allgather(own.data(), static_cast<int>(own.size()), MPI_UINT64_T, samples.data(), static_cast<int>(own.size()), MPI_UINT64_T,
                  MPI_COMM_WORLD);
    const std::vector<int> ends = endsOfParts(numbers, samples, rankCount);
    const auto count = static_cast<std::size_t>(rankCount);
    std::vector<int> sendCounts(count);
    std::vector<int> sendBegins(count);
    std::vector<int> counts(count);
    std::vector<int> begins(count);
    for (std::size_t rank = 0; rank < count; ++rank) {
        sendBegins[rank] = rank == 0 ? 0 : ends[rank - 1];
        sendCounts[rank] = ends[rank] - sendBegins[rank];
    }
    MPI_Alltoall(sendCounts.data(), 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    for (std::size_t rank = 1; rank < count; ++rank) begins[rank] = begins[rank - 1] + counts[rank - 1];
    Numbers received(static_cast<std::size_t>(begins.back() + counts.back()));
    MPI_Alltoallv(numbers.data(), sendCounts.data(), sendBegins.data(), MPI_UINT64_T, received.data(), counts.data(), begins.data(),
                  MPI_UINT64_T, MPI_COMM_WORLD);
    mergeRuns(received, begins);
    return received;
}

#ifdef FERRY_BENCH_BOOST_MPI
Numbers sortWithBoost(const boost::mpi::communicator& world, Numbers numbers) {
    std::sort(numbers.begin(), numbers.end());
    const Numbers own = samplesOf(numbers);
    Numbers samples;
    boost::mpi::all_gather(world, own.data(), static_cast<int>(own.size()), samples);
    const std::vector<int> ends = endsOfParts(numbers, samples, world.size());
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
    mergeRuns(received, begins);
    return received;
}
#endif

/// What is measured, and its times on the slowest rank.
struct Contender {
    std::string name;
    std::function<void()> run;
    std::vector<double> milliseconds{};
};

double medianOf(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Round after round, so that what disturbs the machine disturbs all.
void measure(ferry::Connector& c, const char* title, std::vector<Contender> contenders) {
    for (int round = 0; round <= roundCount; ++round) {
        for (Contender& contender : contenders) {
            MPI_Barrier(MPI_COMM_WORLD);
            const auto begin = std::chrono::steady_clock::now();
            contender.run();
            const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
            const double slowest = c.allReduce(time.count(), ferry::Max{});
            if (round > 0) contender.milliseconds.push_back(slowest);    // the first warms up
        }
    }
    if (!c.isMaster()) return;
    std::printf("%s, %d ranks, median of %d rounds\n", title, c.size(), roundCount);
    const double limit = medianOf(contenders.front().milliseconds);
    for (const Contender& contender : contenders) {
        const double median = medianOf(contender.milliseconds);
        std::printf("  %-36s %9.3f ms  %6.2f\n", contender.name.c_str(), median, median / limit);
    }
}

void measureSorts(ferry::Connector& c) {
    const Numbers own = randomNumbers(c.rank());
    Numbers sorted;
    std::vector<Contender> contenders{{"plain MPI", [&] { sorted = sortWithMpi(own); }},
                                      {"Connector::sort", [&] { sorted = c.sort(own); }},
                                      {"the example (15 lines)", [&] { sorted = verbs::sampleSort(c, own); }}};
#ifdef FERRY_BENCH_BOOST_MPI
    const boost::mpi::communicator world(MPI_COMM_WORLD, boost::mpi::comm_attach);
    contenders.push_back({"Boost.MPI", [&, world] { sorted = sortWithBoost(world, own); }});
#endif
    measure(c, "sort of 1e6 numbers (64 bits) per rank", std::move(contenders));
}

void measureReductions(ferry::Connector& c) {
    std::vector<double> own(doublesPerRank);
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = 1.0 / static_cast<double>(1 + i + static_cast<std::size_t>(c.rank()));
    std::vector<double> sums(own.size());
    double sum = 0;
    measure(c, "reduction of 1 MiB of doubles per rank",
            {{"MPI_Allreduce, element by element",
              [&] { MPI_Allreduce(own.data(), sums.data(), static_cast<int>(own.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }},
             {"sum here, MPI_Allreduce of one",
              [&] {
                  double here = 0;
                  for (const double value : own) here += value;
                  MPI_Allreduce(&here, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
              }},
             {"reproducibleAllReduce, all to one", [&] { sum = c.reproducibleAllReduce(own, ferry::Sum{}); }}});
}

}    // namespace

int main(int argc, char** argv) {
    ferry::Application application(argc, argv);
    if (!ferry::MpiEnvironment::isPresent()) {
        std::fprintf(stderr, "start it with mpirun: it compares with MPI\n");
        return 2;
    }
    return application.runOnAll([](ferry::Connector& c) {
        measureSorts(c);
        measureReductions(c);
    });
}
