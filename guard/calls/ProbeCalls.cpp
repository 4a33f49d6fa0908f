// The probes of MPI that ferry_pmpi intercepts, and the receives of matched messages.
#include <mpi.h>

#include <ferry/guard/calls/giveStatus.hpp>
#include <ferry/guard/known/CallRing.hpp>
#include <ferry/guard/region/Region.hpp>

using ferry::pmpi::activeRegion;
using ferry::pmpi::CallRing;
using ferry::pmpi::Communicator;
using ferry::pmpi::giveStatus;
using ferry::pmpi::Operation;
using ferry::pmpi::Region;
using ferry::pmpi::RequestKind;
using ferry::pmpi::Turn;

namespace {

int matchNow(Region& region, int source, int tag, MPI_Comm communicator, int* hasCome, MPI_Message* message, MPI_Status* status) {
    MPI_Status own;
    const int result = PMPI_Improbe(source, tag, communicator, hasCome, message, &own);
    if (result != MPI_SUCCESS || *hasCome == 0) return result;
    giveStatus(status, own);
    region.matched().add({*message, own, communicator});
    return result;
}

/// Notes a probe that has found nothing. True: a rank has failed.
bool probesInVain(Region& region, const char* call, int source, int tag, MPI_Comm communicator) {
    const Operation operation{RequestKind::Receive, source, tag, communicator};
    return region.lookInVain({.call = call, .operations = {&operation, 1}});
}

/// Starts to receive a message that was matched in this region or before it. operation: gets the data for the wait for the request.
int startMatched(Region& region, void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request,
                 Operation& operation) {
    const MPI_Message given = *message;
    const int result = PMPI_Imrecv(data, count, type, message, request);
    operation.kind = RequestKind::MatchedReceive;
    if (*message == given) return result;
    if (const auto matched = region.takeMatched(given))
        operation = {RequestKind::MatchedReceive, matched->status.MPI_SOURCE, matched->status.MPI_TAG, matched->communicator};
    return result;
}

}    // namespace

int MPI_Probe(int source, int tag, MPI_Comm communicator, MPI_Status* status) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Probe(source, tag, communicator, status);
    const Turn turn("MPI_Probe");
    Region& region = *activeRegion;
    if (!region.admits(communicator)) return region.answer();
    const Communicator* const known = region.use("MPI_Probe", communicator);
    if (known == nullptr && region.isPassing()) {
        const Turn::Pause pause;
        return PMPI_Probe(source, tag, communicator, status);
    }
    if (known == nullptr) return MPI_ERR_OTHER;
    CallRing::ofProcess().note({.name = "MPI_Probe", .communicator = known->id, .peer = source, .tag = tag});
    int hasCome = 0;
    int result = MPI_SUCCESS;
    const auto isThere = [&] {
        result = PMPI_Iprobe(source, tag, communicator, &hasCome, status);
        return hasCome != 0 || result != MPI_SUCCESS;
    };
    const Operation operation{RequestKind::Receive, source, tag, communicator};
    return region.waitUntil({.call = "MPI_Probe", .operations = {&operation, 1}}, isThere) ? result : region.fail(communicator);
}

int MPI_Iprobe(int source, int tag, MPI_Comm communicator, int* hasCome, MPI_Status* status) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Iprobe(source, tag, communicator, hasCome, status);
    const Turn turn("MPI_Iprobe");
    Region& region = *activeRegion;
    *hasCome = 0;
    if (!region.admits(communicator)) return region.answer();
    const Communicator* const known = region.use("MPI_Iprobe", communicator);
    if (known == nullptr) return region.isPassing() ? PMPI_Iprobe(source, tag, communicator, hasCome, status) : MPI_ERR_OTHER;
    CallRing::ofProcess().notePoll({.name = "MPI_Iprobe", .communicator = known->id, .peer = source, .tag = tag});
    const int result = PMPI_Iprobe(source, tag, communicator, hasCome, status);
    return *hasCome == 0 && probesInVain(region, "MPI_Iprobe", source, tag, communicator) ? region.fail(communicator) : result;
}

int MPI_Mprobe(int source, int tag, MPI_Comm communicator, MPI_Message* message, MPI_Status* status) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Mprobe(source, tag, communicator, message, status);
    const Turn turn("MPI_Mprobe");
    Region& region = *activeRegion;
    *message = MPI_MESSAGE_NULL;
    if (!region.admits(communicator)) return region.answer();
    const Communicator* const known = region.use("MPI_Mprobe", communicator);
    if (known == nullptr && region.isPassing()) {
        const Turn::Pause pause;
        return PMPI_Mprobe(source, tag, communicator, message, status);
    }
    if (known == nullptr) return MPI_ERR_OTHER;
    CallRing::ofProcess().note({.name = "MPI_Mprobe", .communicator = known->id, .peer = source, .tag = tag});
    int hasCome = 0;
    int result = MPI_SUCCESS;
    const auto isMatched = [&] {
        result = matchNow(region, source, tag, communicator, &hasCome, message, status);
        return hasCome != 0 || result != MPI_SUCCESS;
    };
    const Operation operation{RequestKind::Receive, source, tag, communicator};
    return region.waitUntil({.call = "MPI_Mprobe", .operations = {&operation, 1}}, isMatched) ? result : region.fail(communicator);
}

int MPI_Improbe(int source, int tag, MPI_Comm communicator, int* hasCome, MPI_Message* message, MPI_Status* status) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Improbe(source, tag, communicator, hasCome, message, status);
    const Turn turn("MPI_Improbe");
    Region& region = *activeRegion;
    *hasCome = 0;
    *message = MPI_MESSAGE_NULL;
    if (!region.admits(communicator)) return region.answer();
    const Communicator* const known = region.use("MPI_Improbe", communicator);
    if (known == nullptr) return region.isPassing() ? PMPI_Improbe(source, tag, communicator, hasCome, message, status) : MPI_ERR_OTHER;
    CallRing::ofProcess().notePoll({.name = "MPI_Improbe", .communicator = known->id, .peer = source, .tag = tag});
    const int result = matchNow(region, source, tag, communicator, hasCome, message, status);
    return *hasCome == 0 && probesInVain(region, "MPI_Improbe", source, tag, communicator) ? region.fail(communicator) : result;
}

int MPI_Mrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Mrecv(data, count, type, message, status);
    const Turn turn("MPI_Mrecv");
    Region& region = *activeRegion;
    if (!region.admits()) {
        *message = MPI_MESSAGE_NULL;
        return activeRegion->answer();
    }
    MPI_Request request = MPI_REQUEST_NULL;
    Operation operation;
    CallRing::ofProcess().note({.name = "MPI_Mrecv", .count = count});
    const int result = startMatched(region, data, count, type, message, &request, operation);
    return result == MPI_SUCCESS ? region.complete("MPI_Mrecv", request, operation, status) : result;
}

int MPI_Imrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Imrecv(data, count, type, message, request);
    const Turn turn("MPI_Imrecv");
    Region& region = *activeRegion;
    *request = MPI_REQUEST_NULL;
    if (!region.admits()) {
        *message = MPI_MESSAGE_NULL;
        return activeRegion->answer();
    }
    Operation operation;
    const int result = startMatched(region, data, count, type, message, request, operation);
    if (result == MPI_SUCCESS) region.requests().add(*request, operation);
    return result;
}
