// Copies graphs with Ferry, with other libraries, and with code written by hand. Compares the times with the limits of the machine.
//     build/release/bin/benchGraph                                  in memory and to files
//     mpirun -np 2 build/release/bin/benchGraph                     between two ranks: graphs, and a scene
//     build/release/bin/benchGraph --large --filter ring            some of the cases, with those of 2^20 nodes
#include <cstddef>
#include <cstdio>
#include <exception>
#include <memory>

#include <malloc.h>
#include <mpi.h>

#include <CLI/CLI.hpp>

#include <ferry/benchmarks/graph/Measurements.hpp>
#include <ferry/benchmarks/support/LargeStack.hpp>
#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#include <ferry/connector/transport/mpi/MpiTransport.hpp>

namespace {

/// Stack size for the other libraries, which recurse. A ring of 2^20 nodes takes Boost about 1 GiB. Ferry does not need it.
constexpr std::size_t stackBytes = std::size_t{8} << 30;

void measureAlone(const bench::GraphBenchOptions& options) {
    bench::measureInMemory(options);
    std::puts("");
    bench::measureInFiles(options);
}

void measureTwoRanks(const bench::GraphBenchOptions& options) {
    ferry::Connector connector(ferry::mpiTransport(MPI_COMM_WORLD));
    bench::measureBetweenRanks(connector, options);
    if (connector.isMaster()) std::puts("");
    bench::measureScene(connector, options);
    connector.close();
}

int runUnderMpirun(int argc, char** argv, const bench::GraphBenchOptions& options) {
    ferry::detail::MpiEnvironment mpi(argc, argv);
    const bool isRightCount = mpi.worldSize() == 2;
    if (isRightCount) {
        measureTwoRanks(options);
    } else {
        std::fprintf(stderr, "start it alone, or with two ranks: mpirun -np 2 %s\n", argv[0]);
    }
    mpi.finalize();
    return isRightCount ? 0 : 2;
}

int run(int argc, char** argv) {
    CLI::App commandLine("Graphs, copied by Ferry and by others");
    bench::GraphBenchOptions options;
    commandLine.add_option("--rounds", options.rounds, "rounds to take the medians of")
        ->check(CLI::Range(1, 10'000))
        ->capture_default_str();
    commandLine.add_option("--filter", options.filter, "only cases whose name contains this");
    commandLine.add_option("--without", options.without, "leave contenders out");
    commandLine.add_option("--folder", options.folder, "where files are written")->capture_default_str();
    commandLine.add_flag("--large", options.withLarge, "full 2048, random 2^11, and the others of 2^20 nodes too");
    CLI11_PARSE(commandLine, argc, argv);
    if (ferry::detail::MpiEnvironment::isPresent()) return runUnderMpirun(argc, argv, options);
    measureAlone(options);
    return 0;
}

}    // namespace

int main(int argc, char** argv) {
    int status = 1;
    mallopt(M_ARENA_MAX, 1);    // the thread must allocate from the heap that main() uses
    try {
        bench::runOnLargeStack(stackBytes, [&] { status = run(argc, argv); });
    } catch (const std::exception& error) {
        std::fprintf(stderr, "benchGraph: %s\n", error.what());
    }
    return status;
}
