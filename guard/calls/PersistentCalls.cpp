// The calls of MPI for persistent requests that ferry_pmpi intercepts, and the call that frees requests.
#include <string>

#include <fmt/format.h>
#include <mpi.h>

#include <ferry/guard/known/CallRing.hpp>
#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/guard/known/PersistentRequests.hpp>
#include <ferry/guard/region/Region.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

using ferry::UsageError;
using ferry::pmpi::activeRegion;
using ferry::pmpi::CallRing;
using ferry::pmpi::Communicator;
using ferry::pmpi::Communicators;
using ferry::pmpi::must;
using ferry::pmpi::PersistentRequest;
using ferry::pmpi::PersistentRequests;
using ferry::pmpi::Region;
using ferry::pmpi::RequestKind;
using ferry::pmpi::Turn;

namespace {

/// Makes a request with init(), without a wait. A request that regions do not support is refused at its start.
template <class Init>
int initGuarded(MPI_Request* request, RequestKind kind, int peer, int tag, MPI_Comm communicator, Init init) {
    if (activeRegion != nullptr && !activeRegion->admits()) [[unlikely]] {
        *request = MPI_REQUEST_NULL;
        return activeRegion->answer();
    }
    const int result = init();
    if (result != MPI_SUCCESS) return result;
    const Communicator* known = Communicators::ofProcess().find(communicator);
    PersistentRequests::ofProcess().add(*request, {kind, peer, tag, known != nullptr ? known->id : -1});
    return result;
}

int startOutside(MPI_Request* request) {
    const MPI_Request before = *request;
    const int result = PMPI_Start(request);
    if (*request != before) PersistentRequests::ofProcess().rename(before, *request);
    return result;
}

/// The reason why the guard cannot protect the request; empty: the guard can do so.
std::string obstacleToStart(const PersistentRequest* persistent) {
    if (persistent == nullptr) return "the request was made by a call that regions do not support";
    if (persistent->communicator < 0 || Communicators::ofProcess().withId(persistent->communicator) == nullptr)
        return "the communicator of the request is not known to the guard";
    return {};
}

int startGuarded(Region& region, const char* call, MPI_Request* request) {
    const Turn turn(call);
    const PersistentRequest* known = PersistentRequests::ofProcess().find(*request);
    const std::string why = obstacleToStart(known);
    if (!why.empty())
        return region.passes(call) ? startOutside(request)
                                   : region.reject(UsageError(fmt::format("{} in a guarded region: {}", call, why)));
    const PersistentRequest persistent = *known;
    const MPI_Comm communicator = Communicators::ofProcess().withId(persistent.communicator)->traffic;
    const Communicator* used = persistent.kind == RequestKind::Send ? region.noteSend(call, persistent.peer, persistent.tag, communicator)
                                                                    : region.use(call, communicator);
    if (used == nullptr) return region.isPassing() ? startOutside(request) : MPI_ERR_OTHER;
    CallRing::ofProcess().note({.name = call, .communicator = used->id, .peer = persistent.peer, .tag = persistent.tag});
    const MPI_Request before = *request;
    const int result = startOutside(request);
    if (*request != before) region.forget(before);
    region.requests().add(*request, {persistent.kind, persistent.peer, persistent.tag, communicator, true});
    return result;
}

bool isUnderWay(MPI_Request request) {
    int isOver = 0;
    must(PMPI_Request_get_status(request, &isOver, MPI_STATUS_IGNORE), "MPI_Request_get_status");
    return isOver == 0;
}

}    // namespace

int MPI_Send_init(const void* data, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator, MPI_Request* request) {
    return initGuarded(request, RequestKind::Send, destination, tag, communicator,
                       [&] { return PMPI_Send_init(data, count, type, destination, tag, communicator, request); });
}

int MPI_Ssend_init(const void* data, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator, MPI_Request* request) {
    return initGuarded(request, RequestKind::Send, destination, tag, communicator,
                       [&] { return PMPI_Ssend_init(data, count, type, destination, tag, communicator, request); });
}

int MPI_Bsend_init(const void* data, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator, MPI_Request* request) {
    return initGuarded(request, RequestKind::Send, destination, tag, communicator,
                       [&] { return PMPI_Bsend_init(data, count, type, destination, tag, communicator, request); });
}

int MPI_Rsend_init(const void* data, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator, MPI_Request* request) {
    return initGuarded(request, RequestKind::Send, destination, tag, communicator,
                       [&] { return PMPI_Rsend_init(data, count, type, destination, tag, communicator, request); });
}

int MPI_Recv_init(void* data, int count, MPI_Datatype type, int source, int tag, MPI_Comm communicator, MPI_Request* request) {
    return initGuarded(request, RequestKind::Receive, source, tag, communicator,
                       [&] { return PMPI_Recv_init(data, count, type, source, tag, communicator, request); });
}

int MPI_Start(MPI_Request* request) {
    if (activeRegion == nullptr) [[likely]]
        return startOutside(request);
    if (!activeRegion->admits()) return activeRegion->answer();
    return startGuarded(*activeRegion, "MPI_Start", request);
}

/// Starts the requests one after the other; MPI does not specify the order.
int MPI_Startall(int count, MPI_Request* requests) {
    if (activeRegion != nullptr && !activeRegion->admits()) return activeRegion->answer();
    for (int i = 0; i < count; ++i) {
        const int result = activeRegion != nullptr ? startGuarded(*activeRegion, "MPI_Startall", requests + i) : startOutside(requests + i);
        if (result != MPI_SUCCESS) return result;
    }
    return MPI_SUCCESS;
}

/// In a region, a request that is under way is freed at the region's end. A persistent request that is not under way is freed at once.
int MPI_Request_free(MPI_Request* request) {
    const bool isPersistent = PersistentRequests::ofProcess().remove(*request);
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Request_free(request);
    const Turn turn("MPI_Request_free");
    Region& region = *activeRegion;
    region.endVainTests();
    if (isPersistent && !isUnderWay(*request)) {
        region.forget(*request);
        return PMPI_Request_free(request);
    }
    Region* owner = region.ownerOf(*request);
    if (region.isOver() || owner != nullptr) {
        if (owner != nullptr && !owner->isOver()) owner->letGo(*request);
        *request = MPI_REQUEST_NULL;
        return MPI_SUCCESS;
    }
    return PMPI_Request_free(request);
}
