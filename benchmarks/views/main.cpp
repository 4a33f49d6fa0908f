// Packs parts of classes that must not be changed. The contenders are views that ferrygen has made, code written by hand,
// Boost.Serialization, the code that MPI Serializer generates, and MPI datatypes.
//     build/release/bin/benchViewsO3                          in memory
//     mpirun -np 2 build/release/bin/benchViewsO3             between two ranks
//     build/release/bin/benchViewsO3 --filter neighbours      some of the cases
#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>

#include <ferry/benchmarks/views/Measurements.hpp>
#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#include <ferry/connector/transport/mpi/MpiTransport.hpp>

#include <mpi.h>

namespace {

int run(int argc, char** argv) {
    CLI::App commandLine("Parts of objects, packed by Ferry and by others");
    bench::ViewsBenchOptions options;
    commandLine.add_option("--rounds", options.rounds, "rounds to take the medians of")
        ->check(CLI::Range(1, 10'000))
        ->capture_default_str();
    commandLine.add_option("--filter", options.filter, "only cases whose name contains this");
    CLI11_PARSE(commandLine, argc, argv);
    ferry::detail::MpiEnvironment mpi(argc, argv);
    if (mpi.worldSize() == 1) {
        bench::measurePacking(options);
    } else if (mpi.worldSize() == 2) {
        ferry::Connector connector(ferry::mpiTransport(MPI_COMM_WORLD));
        bench::measureSending(connector, options);
        connector.close();
    } else {
        std::fprintf(stderr, "start it alone, or with two ranks: mpirun -np 2 %s\n", argv[0]);
    }
    const int status = mpi.worldSize() > 2 ? 2 : 0;
    mpi.finalize();
    return status;
}

}    // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "benchViews: %s\n", error.what());
        return 1;
    }
}
