// Writes and reads with Ferry and with other libraries. The limits are copying the bytes and allocating the memory.
//     build/release/bin/benchSerializationO3                             a table of ratios: medians of interleaved rounds, thread CPU time
//     build/release/bin/benchSerializationO3 --filter polymorphic        some of the cases
//     build/release/bin/benchSerializationO3 --benchmark_min_time=0.5    absolute times, by Google Benchmark with any of its options
#include <cstdio>
#include <exception>
#include <string_view>

#include <benchmark/benchmark.h>
#include <CLI/CLI.hpp>

#include <ferry/benchmarks/serialization/Contenders.hpp>
#include <ferry/benchmarks/serialization/Table.hpp>

namespace {

bool wantsGoogleBenchmark(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]).starts_with("--benchmark_")) return true;
    }
    return false;
}

int runGoogleBenchmark(bench::Suite& suite, int argc, char** argv) {
    constexpr std::size_t timesPerStep = 16;
    for (bench::Case& one : suite.cases()) {
        for (bench::Contender& contender : one.contenders) {
            benchmark::RegisterBenchmark((one.name + "/" + contender.name()).c_str(), [&contender](benchmark::State& state) {
                while (state.KeepRunningBatch(timesPerStep)) contender.run(timesPerStep);
            });
        }
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

int runTable(bench::Suite& suite, const bench::StreamBytes& bytes, int argc, char** argv) {
    CLI::App options("Ferry against its limits and its peers");
    int rounds = 15;
    std::string filter;
    options.add_option("--rounds", rounds, "rounds to take the medians of")->check(CLI::Range(1, 10'000));
    options.add_option("--filter", filter, "only cases whose name contains this");
    CLI11_PARSE(options, argc, argv);
    suite.filter(filter);
    suite.measure(rounds);
    bench::printRatios(suite);
    if (filter.empty()) bench::printBytes(bytes);
    return 0;
}

}    // namespace

int main(int argc, char** argv) {
    try {
        const bench::Samples samples;
        bench::Suite suite;
        bench::StreamBytes bytes;
        bench::declareCases(suite, samples);
        bench::addLimits(suite, samples);
        bench::addFerry(suite, samples, bytes);
        bench::addVersionsAndViews(suite, samples);
#ifdef FERRY_BENCH_CEREAL
        bench::addCereal(suite, samples, bytes);
#endif
#ifdef FERRY_BENCH_BOOST
        bench::addBoost(suite, samples, bytes);
        bench::addBridge(suite, samples);
#endif
        return wantsGoogleBenchmark(argc, argv) ? runGoogleBenchmark(suite, argc, argv) : runTable(suite, bytes, argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "benchSerialization: %s\n", error.what());
        return 1;
    }
}
