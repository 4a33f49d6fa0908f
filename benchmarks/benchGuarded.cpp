// Measures the time from a throw in a guarded region until all ranks have left the region. Also measures the cost of a region without a
// failure.
//     build/release/bin/benchGuarded
//     mpirun -np 4 build/release/bin/benchGuarded
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <ferry/ferry.hpp>

#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#include <ferry/serialization/exception/Origin.hpp>

namespace {

// All ranks of one machine share this clock, processes as well as threads.
using Clock = std::chrono::steady_clock;

constexpr int failureCount = 100;
constexpr int emptyCount = 200;
constexpr int windowCount = 5;

std::int64_t nowNs() { return std::chrono::nanoseconds(Clock::now().time_since_epoch()).count(); }

double medianOf(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Returns the milliseconds from the throw on one rank until the last rank has left the region. The other ranks are in a barrier or in
/// receive.
double timeOut(ferry::Connector& c, int round) {
    std::int64_t thrownNs = 0;
    const int thrower = round % c.size();
    c.barrier();
    try {
        c.guarded([&] {
            if (c.rank() == thrower) {
                thrownNs = nowNs();
                throw std::runtime_error("failure of round " + std::to_string(round));
            }
            if (round % 2 == 0) c.barrier();
            c.receive<int>(thrower);
        });
    } catch (const ferry::ExceptionList&) {}
    const std::vector<std::int64_t> outNs = c.allGather(nowNs());
    const std::int64_t begunNs = c.broadcast(thrownNs, thrower);
    return static_cast<double>(*std::max_element(outNs.begin(), outNs.end()) - begunNs) / 1e6;
}

/// Returns the microseconds of one call, measured on all ranks together.
template <class Function>
double timeOf(ferry::Connector& c, int count, Function function) {
    c.barrier();
    const std::int64_t beginNs = nowNs();
    for (int i = 0; i < count; ++i) function();
    c.barrier();
    return static_cast<double>(nowNs() - beginNs) / 1e3 / count;
}

void runRank(ferry::Connector& c, const char* launcher) {
    const double first = timeOut(c, 0);
    std::vector<double> outMs;
    for (int round = 1; round <= failureCount; ++round) outMs.push_back(timeOut(c, round));
    std::vector<double> emptyUs;
    std::vector<double> barrierUs;
    std::vector<double> ratios;
    std::vector<double> amongLettersUs;
    for (int window = 0; window < windowCount; ++window) {
        emptyUs.push_back(timeOf(c, emptyCount, [&c] { c.guarded([] {}); }));
        barrierUs.push_back(timeOf(c, emptyCount, [&c] { c.barrier(); }));
        ratios.push_back(emptyUs.back() / barrierUs.back());
    }
    constexpr int letterCount = 10'000;
    for (int i = 0; i < letterCount; ++i) c.send(c.rank(), i);
    for (int window = 0; window < windowCount; ++window) amongLettersUs.push_back(timeOf(c, emptyCount, [&c] { c.barrier(); }));
    if (!c.isMaster()) return;
    std::printf("| %s | %d | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |\n", launcher, c.size(), first, medianOf(outMs),
                *std::max_element(outMs.begin(), outMs.end()), medianOf(emptyUs), medianOf(barrierUs), medianOf(ratios),
                medianOf(amongLettersUs));
    std::fflush(stdout);
}

void runOnThreads(int rankCount) {
    std::vector<std::thread> threads;
    for (auto& transport : ferry::detail::threadTransports(rankCount)) {
        threads.emplace_back([own = std::move(transport)]() mutable {
            ferry::detail::setRankOfThisThread(own->rank());
            ferry::Connector connector(std::move(own));
            runRank(connector, "threads");
            connector.close();
        });
    }
    for (std::thread& thread : threads) thread.join();
}

void printHead() {
    std::printf(
        "| ranks as | ranks | first throw, out after ms | further ones: median | maximum | empty region, us | barrier, us | ratio "
        "| barrier with 10000 letters waiting, us |\n|---|---|---|---|---|---|---|---|---|\n");
    std::fflush(stdout);
}

}    // namespace

int main(int argc, char** argv) {
    if (!ferry::detail::MpiEnvironment::isPresent()) {
        printHead();
        for (const int rankCount : {2, 4, 16}) runOnThreads(rankCount);
        return 0;
    }
    ferry::detail::MpiEnvironment environment(argc, argv);
    {
        ferry::Connector connector(environment.worldTransport());
        if (connector.isMaster()) printHead();
        runRank(connector, "mpirun");
        connector.close();
    }
    environment.finalize();
    return 0;
}
