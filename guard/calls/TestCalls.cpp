// The tests of requests of MPI that ferry_pmpi intercepts. A program may call them until they succeed.
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

/// Calls test(), which returns MPI's result. Looks for a notice when isDone() tells that no request is over.
template <class Test, class IsDone>
int testGuarded(const char* call, MPI_Request* requests, int count, Test test, IsDone isDone) {
    const Turn turn(call);
    Region& region = *activeRegion;
    CallRing::ofProcess().notePoll({.name = call, .count = count});
    StartedHandles handles(requests, count);
    region.deferred().advance();
    const int result = test();
    handles.settle(region);
    if (result == MPI_SUCCESS && isDone() && handles.wereEmpty()) region.noteEmptyTest();
    if (result != MPI_SUCCESS || isDone() || !region.lookInVain({.call = call, .requests = handles.now()})) return result;
    handles.drop(region);
    return region.fail();
}

}    // namespace

int MPI_Test(MPI_Request* request, int* isDone, MPI_Status* status) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Test(request, isDone, status);
    if (!activeRegion->admits()) {
        clearHandles(request, 1);
        *isDone = 1;
        return activeRegion->answer();
    }
    return testGuarded(
        "MPI_Test", request, 1, [&] { return PMPI_Test(request, isDone, status); }, [&] { return *isDone != 0; });
}

int MPI_Testall(int count, MPI_Request* requests, int* areDone, MPI_Status* statuses) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Testall(count, requests, areDone, statuses);
    if (!activeRegion->admits()) {
        clearHandles(requests, count);
        *areDone = 1;
        return activeRegion->answer();
    }
    return testGuarded(
        "MPI_Testall", requests, count, [&] { return PMPI_Testall(count, requests, areDone, statuses); }, [&] { return *areDone != 0; });
}

int MPI_Testany(int count, MPI_Request* requests, int* index, int* isDone, MPI_Status* status) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Testany(count, requests, index, isDone, status);
    if (!activeRegion->admits()) {
        clearHandles(requests, count);
        *index = MPI_UNDEFINED;
        *isDone = 1;
        return activeRegion->answer();
    }
    return testGuarded(
        "MPI_Testany", requests, count, [&] { return PMPI_Testany(count, requests, index, isDone, status); }, [&] { return *isDone != 0; });
}

int MPI_Testsome(int count, MPI_Request* requests, int* doneCount, int* indices, MPI_Status* statuses) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Testsome(count, requests, doneCount, indices, statuses);
    if (!activeRegion->admits()) {
        clearHandles(requests, count);
        *doneCount = MPI_UNDEFINED;
        return activeRegion->answer();
    }
    return testGuarded(
        "MPI_Testsome", requests, count, [&] { return PMPI_Testsome(count, requests, doneCount, indices, statuses); },
        [&] { return *doneCount != 0; });
}

int MPI_Request_get_status(MPI_Request request, int* isDone, MPI_Status* status) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Request_get_status(request, isDone, status);
    const Turn turn("MPI_Request_get_status");
    Region& region = *activeRegion;
    *isDone = 1;
    if (!region.admits()) return region.answer();
    region.deferred().advance();
    const int result = PMPI_Request_get_status(request, isDone, status);
    if (*isDone == 0) return region.lookInVain({.call = "MPI_Request_get_status", .requests = {&request, 1}}) ? region.fail() : result;
    if (request == MPI_REQUEST_NULL) region.noteEmptyTest();
    return result;
}
