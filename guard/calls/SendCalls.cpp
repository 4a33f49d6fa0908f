// The sends of MPI that ferry_pmpi intercepts.
#include <mpi.h>

#include <ferry/guard/known/CallRing.hpp>
#include <ferry/guard/region/Region.hpp>

using ferry::pmpi::activeRegion;
using ferry::pmpi::CallRing;
using ferry::pmpi::Communicator;
using ferry::pmpi::Region;
using ferry::pmpi::RequestKind;
using ferry::pmpi::Turn;

namespace {

/// Makes a blocking send by the non-blocking one, which `start` begins.
template <class Start>
int sendGuarded(const char* call, int count, int destination, int tag, MPI_Comm communicator, Start start) {
    const Turn turn(call);
    Region& region = *activeRegion;
    if (!region.admits(communicator)) return region.answer();
    const Communicator* const known = region.noteSend(call, destination, tag, communicator);
    if (known == nullptr && !region.isPassing()) return MPI_ERR_OTHER;
    if (known != nullptr) [[likely]]
        CallRing::ofProcess().note({.name = call, .communicator = known->id, .peer = destination, .count = count, .tag = tag});
    MPI_Request request = MPI_REQUEST_NULL;
    const int result = start(&request);
    const Operation send{RequestKind::Send, destination, tag, communicator};
    if (known == nullptr && result == MPI_SUCCESS) return region.completeUnknown(call, request, send, MPI_STATUS_IGNORE);
    return result == MPI_SUCCESS ? region.complete(call, request, send, MPI_STATUS_IGNORE) : result;
}

template <class Start>
int startSendGuarded(const char* call, int count, int destination, int tag, MPI_Comm communicator, MPI_Request* request, Start start) {
    const Turn turn(call);
    Region& region = *activeRegion;
    *request = MPI_REQUEST_NULL;
    if (!region.admits(communicator)) return region.answer();
    const Communicator* const known = region.noteSend(call, destination, tag, communicator);
    if (known == nullptr) return region.isPassing() ? start() : MPI_ERR_OTHER;
    CallRing::ofProcess().note({.name = call, .communicator = known->id, .peer = destination, .count = count, .tag = tag});
    const int result = start();
    if (result == MPI_SUCCESS) region.requests().add(*request, {RequestKind::Send, destination, tag, communicator});
    return result;
}

}    // namespace

int MPI_Send(const void* data, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Send(data, count, type, destination, tag, communicator);
    return sendGuarded("MPI_Send", count, destination, tag, communicator,
                       [&](MPI_Request* request) { return PMPI_Isend(data, count, type, destination, tag, communicator, request); });
}

int MPI_Ssend(const void* data, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Ssend(data, count, type, destination, tag, communicator);
    return sendGuarded("MPI_Ssend", count, destination, tag, communicator,
                       [&](MPI_Request* request) { return PMPI_Issend(data, count, type, destination, tag, communicator, request); });
}

int MPI_Rsend(const void* data, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Rsend(data, count, type, destination, tag, communicator);
    return sendGuarded("MPI_Rsend", count, destination, tag, communicator,
                       [&](MPI_Request* request) { return PMPI_Irsend(data, count, type, destination, tag, communicator, request); });
}

int MPI_Bsend(const void* data, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Bsend(data, count, type, destination, tag, communicator);
    return sendGuarded("MPI_Bsend", count, destination, tag, communicator,
                       [&](MPI_Request* request) { return PMPI_Ibsend(data, count, type, destination, tag, communicator, request); });
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator, MPI_Request* request) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Isend(data, count, type, destination, tag, communicator, request);
    return startSendGuarded("MPI_Isend", count, destination, tag, communicator, request,
                            [&] { return PMPI_Isend(data, count, type, destination, tag, communicator, request); });
}

int MPI_Issend(const void* data, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator, MPI_Request* request) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Issend(data, count, type, destination, tag, communicator, request);
    return startSendGuarded("MPI_Issend", count, destination, tag, communicator, request,
                            [&] { return PMPI_Issend(data, count, type, destination, tag, communicator, request); });
}

int MPI_Irsend(const void* data, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator, MPI_Request* request) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Irsend(data, count, type, destination, tag, communicator, request);
    return startSendGuarded("MPI_Irsend", count, destination, tag, communicator, request,
                            [&] { return PMPI_Irsend(data, count, type, destination, tag, communicator, request); });
}

int MPI_Ibsend(const void* data, int count, MPI_Datatype type, int destination, int tag, MPI_Comm communicator, MPI_Request* request) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Ibsend(data, count, type, destination, tag, communicator, request);
    return startSendGuarded("MPI_Ibsend", count, destination, tag, communicator, request,
                            [&] { return PMPI_Ibsend(data, count, type, destination, tag, communicator, request); });
}
