// The calls of MPI that end files and windows, and the fence, which ferry_pmpi intercepts.
#include <mpi.h>

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/FilesAndWindows.hpp>
#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/guard/region/Region.hpp>

using ferry::pmpi::activeRegion;
using ferry::pmpi::Communicator;
using ferry::pmpi::Communicators;
using ferry::pmpi::FilesAndWindows;
using ferry::pmpi::must;
using ferry::pmpi::refuse;
using ferry::pmpi::Turn;

namespace {

int endOutside(Communicator& known) {
    const int result = FilesAndWindows::ofProcess().end(known);
    MPI_Comm handle = known.handle;
    Communicators::ofProcess().remove(handle);
    must(PMPI_Comm_free(&handle), "MPI_Comm_free");
    return result;
}

int endKnown(const char* call, Communicator& known) {
    if (activeRegion == nullptr) return endOutside(known);
    const Turn turn(call);
    return activeRegion->leave(call, known, [&known] { return FilesAndWindows::ofProcess().end(known); });
}

}    // namespace

/// When another rank fails while this rank waits, the call returns as if it had succeeded, since destructors call it; the next call throws.
/// The end of the region closes the files that are then left, and those that destructors close while the stack is unwound. MPI_Win_free
/// does the same for windows.
int MPI_File_close(MPI_File* file) {
    if (Communicator* known = FilesAndWindows::ofProcess().ofFile(*file)) {
        const int result = endKnown("MPI_File_close", *known);
        *file = MPI_FILE_NULL;
        return result;
    }
    if (activeRegion != nullptr) {
        if (const auto refused = refuse("MPI_File_close", "the file is not known to the guard")) return *refused;
    }
    return PMPI_File_close(file);
}

int MPI_Win_free(MPI_Win* window) {
    if (Communicator* known = FilesAndWindows::ofProcess().ofWindow(*window)) {
        const int result = endKnown("MPI_Win_free", *known);
        *window = MPI_WIN_NULL;
        return result;
    }
    if (activeRegion != nullptr) {
        if (const auto refused = refuse("MPI_Win_free", "the window is not known to the guard")) return *refused;
    }
    return PMPI_Win_free(window);
}

int MPI_Win_fence(int assertion, MPI_Win window) {
    if (activeRegion != nullptr) [[unlikely]] {
        const Communicator* known = FilesAndWindows::ofProcess().ofWindow(window);
        if (known == nullptr || !known->isInEpoch())
            return activeRegion->collective("MPI_Win_fence", known != nullptr ? known->handle : MPI_COMM_NULL,
                                            [&] { return PMPI_Win_fence(assertion, window); });
        if (const auto refused = refuse("MPI_Win_fence", "the window is in an epoch that MPI_Win_fence has not begun")) return *refused;
    }
    return PMPI_Win_fence(assertion, window);
}
