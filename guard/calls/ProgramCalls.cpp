// The calls that begin and end MPI, which ferry_pmpi intercepts.
#include <mpi.h>

#include <ferry/guard/known/OtherThreads.hpp>
#include <ferry/guard/meeting/MeetingPlace.hpp>
#include <ferry/guard/region/ProgramHooks.hpp>
#include <ferry/guard/region/Region.hpp>

namespace ferry::pmpi {

ProgramHooks programHooks;

namespace {

template <class Begin>
int beginMpi(const char* call, const void* caller, Begin begin) {
    if (programHooks.initializes != nullptr) programHooks.initializes(caller);
    if (activeRegion != nullptr) {
        if (const auto refused = refuse(call, "MPI has been initialised before")) return *refused;
    }
    OtherThreads::noteProgram();
    const int result = begin();
    OtherThreads::noteMpi();
    if (result == MPI_SUCCESS && programHooks.initialized != nullptr) programHooks.initialized();
    return result;
}

}    // namespace

}    // namespace ferry::pmpi

int MPI_Init(int* argc, char*** argv) {
    return ferry::pmpi::beginMpi("MPI_Init", __builtin_return_address(0), [&] { return PMPI_Init(argc, argv); });
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return ferry::pmpi::beginMpi("MPI_Init_thread", __builtin_return_address(0),
                                 [&] { return PMPI_Init_thread(argc, argv, required, provided); });
}

int MPI_Abort(MPI_Comm communicator, int status) {
    if (ferry::pmpi::programHooks.aborts != nullptr) ferry::pmpi::programHooks.aborts(status);
    return PMPI_Abort(communicator, status);
}

int MPI_Finalize() {
    if (ferry::pmpi::programHooks.finalizes != nullptr && !ferry::pmpi::programHooks.finalizes()) return MPI_SUCCESS;
    if (ferry::pmpi::activeRegion != nullptr) {
        if (const auto refused = ferry::pmpi::refuse("MPI_Finalize", "the region has to end first")) return *refused;
    }
    ferry::pmpi::MeetingPlace::closeAll();
    return PMPI_Finalize();
}
