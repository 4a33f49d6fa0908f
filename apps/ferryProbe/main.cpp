// Tells on one line what Ferry finds out by itself here, for `ferry doctor`. Each line of the answer is `name=value`.
// The ranks also send an object and an exception to each other, so that the answer is more than a list of versions.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef FERRY_PROBE_MPI
#include <mpi.h>
#endif

#include <ferry/ferry.hpp>

namespace {

struct Parcel {
    std::string text;
    std::vector<int> numbers;
};

#ifdef FERRY_PROBE_MPI

std::string builtFor() {
#if defined(OPEN_MPI)
    return "Open MPI " + std::to_string(OMPI_MAJOR_VERSION) + "." + std::to_string(OMPI_MINOR_VERSION);
#elif defined(I_MPI_VERSION)
    return "Intel MPI " I_MPI_VERSION;
#elif defined(MPICH_VERSION)
    return "MPICH " MPICH_VERSION;
#else
    return "MPI " + std::to_string(MPI_VERSION) + "." + std::to_string(MPI_SUBVERSION);
#endif
}

const char* nameOf(int level) {
    switch (level) {
        case MPI_THREAD_SINGLE: return "MPI_THREAD_SINGLE";
        case MPI_THREAD_FUNNELED: return "MPI_THREAD_FUNNELED";
        case MPI_THREAD_SERIALIZED: return "MPI_THREAD_SERIALIZED";
        default: return "MPI_THREAD_MULTIPLE";
    }
}

/// Initialises MPI for as many threads as it offers.
void tellOfMpi(int& argc, char**& argv) {
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char text[MPI_MAX_LIBRARY_VERSION_STRING + 1] = {};
    int length = 0;
    MPI_Get_library_version(text, &length);
    const std::string library(text);
    if (rank == 0) std::printf("mpi=%s\nthreads=%s\n", library.substr(0, library.find_first_of(",\n")).c_str(), nameOf(level));
}

#endif

/// Sends an object from rank 0 to the last rank and back, and an exception from the last rank to rank 0.
void tellOfMessages(ferry::Connector& connector) {
    const int last = connector.size() - 1;
    if (connector.rank() == last) {
        connector.send(0, connector.receive<Parcel>(0));
        connector.receive<int>(0);    // rank 0 has its object
        connector.throwOn(0, std::make_exception_ptr(std::range_error("as it was thrown")));
        connector.receive<int>(0);
        return;
    }
    if (connector.rank() != 0) return;
    connector.send(last, Parcel{"to and fro", {1, 2, 3}});
    const Parcel back = connector.receive<Parcel>(last);
    std::printf("object=%s\n", back.text == "to and fro" && back.numbers.size() == 3 ? "arrived" : "damaged");
    connector.send(last, 1);
    try {
        connector.receive<int>(last);
    } catch (const std::range_error& error) {
        std::printf("exception=%s\n", std::string(error.what()).find("as it was thrown") != std::string::npos ? "arrived" : "changed");
    }
    connector.send(last, 0);
}

}    // namespace

int main(int argc, char** argv) {
#ifdef FERRY_PROBE_MPI
    const bool asksMpi = argc > 1 && std::string(argv[1]) == "--mpi";
    if (asksMpi) tellOfMpi(argc, argv);
    const std::string mpi = builtFor();
#else
    const std::string mpi = "no MPI";
#endif
    int status = 0;
    {
        ferry::Application app(argc, argv, ferry::ThreadRanks{2});
        status = app.runOnAll([&mpi](ferry::Connector& connector) {
            if (connector.rank() == 0) std::printf("version=%s\nbuiltFor=%s\nranks=%d\n", ferry::version(), mpi.c_str(), connector.size());
            if (connector.size() > 1) tellOfMessages(connector);
        });
    }
#ifdef FERRY_PROBE_MPI
    if (asksMpi) MPI_Finalize();
#endif
    return status;
}
