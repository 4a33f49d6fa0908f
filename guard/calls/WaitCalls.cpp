// The waits of MPI that ferry_pmpi intercepts. Each wait repeats its test and looks for notices between the tests.
#include <mpi.h>

#include <ferry/guard/calls/StartedHandles.hpp>
#include <ferry/guard/known/CallRing.hpp>
#include <ferry/guard/region/Region.hpp>

using ferry::pmpi::activeRegion;
using ferry::pmpi::CallRing;
using ferry::pmpi::clearHandles;
using ferry::pmpi::Region;
using ferry::pmpi::StartedHandles;
using ferry::pmpi::Turn;

namespace {

/// Waits until test(flag) sets the flag. Returns MPI's last result.
template <class Test>
int waitGuarded(const char* call, MPI_Request* requests, int count, Test test) {
    const Turn turn(call);
    Region& region = *activeRegion;
    CallRing::ofProcess().note({.name = call, .count = count});
    StartedHandles handles(requests, count);
    int isDone = 0;
    int result = MPI_SUCCESS;
    const auto isOver = [&] {
        result = test(&isDone);
        return isDone != 0 || result != MPI_SUCCESS;
    };
    if (!region.waitUntil({.call = call, .requests = handles.now()}, isOver)) {
        handles.drop(region);
        return region.fail();
    }
    handles.settle(region);
    return result;
}

}    // namespace

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Wait(request, status);
    Region& region = *activeRegion;
    if (!region.admits()) {
        clearHandles(request, 1);
        return activeRegion->answer();
    }
    return waitGuarded("MPI_Wait", request, 1, [&](int* isDone) { return PMPI_Test(request, isDone, status); });
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Waitall(count, requests, statuses);
    if (!activeRegion->admits()) {
        clearHandles(requests, count);
        return activeRegion->answer();
    }
    return waitGuarded("MPI_Waitall", requests, count, [&](int* isDone) { return PMPI_Testall(count, requests, isDone, statuses); });
}

int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Waitany(count, requests, index, status);
    if (!activeRegion->admits()) {
        clearHandles(requests, count);
        *index = MPI_UNDEFINED;
        return activeRegion->answer();
    }
    return waitGuarded("MPI_Waitany", requests, count, [&](int* isDone) { return PMPI_Testany(count, requests, index, isDone, status); });
}

int MPI_Waitsome(int count, MPI_Request* requests, int* doneCount, int* indices, MPI_Status* statuses) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Waitsome(count, requests, doneCount, indices, statuses);
    if (!activeRegion->admits()) {
        clearHandles(requests, count);
        *doneCount = MPI_UNDEFINED;
        return activeRegion->answer();
    }
    return waitGuarded("MPI_Waitsome", requests, count, [&](int* isDone) {
        const int result = PMPI_Testsome(count, requests, doneCount, indices, statuses);
        *isDone = *doneCount != 0 ? 1 : 0;    // MPI_UNDEFINED too: there is no request to wait for
        return result;
    });
}
