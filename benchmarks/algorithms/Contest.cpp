#include <ferry/benchmarks/algorithms/Contest.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>

#include <mpi.h>

#include <ferry/connector/collective/shape/Operators.hpp>

namespace bench {

namespace {

constexpr int roundCount = 9;

double medianOf(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

}    // namespace

void contest(ferry::Connector& c, const char* title, const std::vector<Contender>& contenders) {
    std::vector<std::vector<double>> milliseconds(contenders.size());
    for (int round = 0; round <= roundCount; ++round) {
        for (std::size_t i = 0; i < contenders.size(); ++i) {
            MPI_Barrier(MPI_COMM_WORLD);
            const auto begin = std::chrono::steady_clock::now();
            contenders[i].run();
            const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
            const double slowest = c.allReduce(time.count(), ferry::Max{});
            if (round > 0) milliseconds[i].push_back(slowest);    // the first round is a warm-up
        }
    }
    if (!c.isMaster()) return;
    const double limit = medianOf(milliseconds.front());
    for (std::size_t i = 0; i < contenders.size(); ++i) {
        const double median = medianOf(milliseconds[i]);
        std::printf("| %s | %d | %s | %.3f | %.2f |\n", title, c.size(), contenders[i].name.c_str(), median, median / limit);
    }
    std::fflush(stdout);
}

}    // namespace bench
