// The receives of MPI that ferry_pmpi intercepts.
#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include <mpi.h>

#include <ferry/guard/calls/giveStatus.hpp>
#include <ferry/guard/known/CallRing.hpp>
#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/guard/region/Region.hpp>

using ferry::pmpi::activeRegion;
using ferry::pmpi::CallRing;
using ferry::pmpi::Communicator;
using ferry::pmpi::giveStatus;
using ferry::pmpi::must;
using ferry::pmpi::Operation;
using ferry::pmpi::Region;
using ferry::pmpi::RequestKind;
using ferry::pmpi::Turn;

namespace {

/// Waits for a receive and a send that were started together.
int completeBoth(Region& region, const char* call, const std::array<MPI_Request, 2>& started, const std::array<Operation, 2>& operations,
                 MPI_Status* status) {
    std::array<MPI_Request, 2> requests = started;
    std::array<MPI_Status, 2> statuses;
    int areDone = 0;
    int result = MPI_SUCCESS;
    const auto areComplete = [&] {
        result = PMPI_Testall(static_cast<int>(requests.size()), requests.data(), &areDone, statuses.data());
        return areDone != 0 || result != MPI_SUCCESS;
    };
    if (!region.waitUntil({.call = call, .operations = operations, .requests = requests}, areComplete)) {
        for (std::size_t i = 0; i < requests.size(); ++i) region.requests().add(started[i], operations[i]);
        return region.fail(operations[0].communicator);
    }
    giveStatus(status, statuses[0]);
    if (result == MPI_ERR_IN_STATUS) result = statuses[0].MPI_ERROR != MPI_SUCCESS ? statuses[0].MPI_ERROR : statuses[1].MPI_ERROR;
    return result;
}

/// A packed copy of elements. An int may not count its bytes: then the elements are packed in parts.
class PackedCopy {
public:
    PackedCopy(const void* data, int count, MPI_Datatype type, MPI_Comm communicator) {
        MPI_Count size = 0;
        MPI_Aint lower = 0;
        MPI_Aint extent = 0;
        must(PMPI_Type_size_x(type, &size), "MPI_Type_size_x");
        must(PMPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
        const int most = static_cast<int>(std::max<MPI_Count>(bytesOfPart / std::max<MPI_Count>(size, 1), 1));
        bytes_.reserve(static_cast<std::size_t>(std::max<MPI_Count>(count * size, 0)));
        int done = 0;
        do {
            const int part = std::min(count - done, most);
            add(static_cast<const char*>(data) + done * extent, part, type, communicator);
            done += part;
        } while (done < count);
    }

    int send(int destination, int tag, MPI_Comm communicator, MPI_Request* request) const {
        if (bytes_.size() <= std::numeric_limits<int>::max())
            return PMPI_Isend(bytes_.data(), static_cast<int>(bytes_.size()), MPI_PACKED, destination, tag, communicator, request);
        MPI_Datatype part = MPI_DATATYPE_NULL;
        MPI_Datatype whole = MPI_DATATYPE_NULL;
        must(PMPI_Type_contiguous(bytesOfPart, MPI_PACKED, &part), "MPI_Type_contiguous");
        const std::size_t partCount = bytes_.size() / bytesOfPart;
        const std::array<int, 2> counts{static_cast<int>(partCount), static_cast<int>(bytes_.size() % bytesOfPart)};
        const std::array<MPI_Aint, 2> places{0, static_cast<MPI_Aint>(partCount * bytesOfPart)};
        const std::array<MPI_Datatype, 2> types{part, MPI_PACKED};
        must(PMPI_Type_create_struct(2, counts.data(), places.data(), types.data(), &whole), "MPI_Type_create_struct");
        must(PMPI_Type_commit(&whole), "MPI_Type_commit");
        const int result = PMPI_Isend(bytes_.data(), 1, whole, destination, tag, communicator, request);
        PMPI_Type_free(&whole);    // the message under way keeps it
        PMPI_Type_free(&part);
        return result;
    }

private:
    static constexpr int bytesOfPart = 1 << 28;

    void add(const void* data, int count, MPI_Datatype type, MPI_Comm communicator) {
        int byteCount = 0;
        must(PMPI_Pack_size(count, type, communicator, &byteCount), "MPI_Pack_size");
        if (byteCount == 0) return;    // MPI_Pack refuses a null pointer
        const std::size_t before = bytes_.size();
        bytes_.resize(before + static_cast<std::size_t>(byteCount));
        int place = 0;
        must(PMPI_Pack(data, count, type, bytes_.data() + before, byteCount, &place, communicator), "MPI_Pack");
        bytes_.resize(before + static_cast<std::size_t>(place));
    }

    std::vector<char> bytes_;
};

}    // namespace

int MPI_Recv(void* data, int count, MPI_Datatype type, int source, int tag, MPI_Comm communicator, MPI_Status* status) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Recv(data, count, type, source, tag, communicator, status);
    const Turn turn("MPI_Recv");
    Region& region = *activeRegion;
    if (!region.admits(communicator)) return region.answer();
    const Communicator* const known = region.use("MPI_Recv", communicator);
    if (known == nullptr && !region.isPassing()) return MPI_ERR_OTHER;
    if (known != nullptr) [[likely]]
        CallRing::ofProcess().note({.name = "MPI_Recv", .communicator = known->id, .peer = source, .count = count, .tag = tag});
    MPI_Request request = MPI_REQUEST_NULL;
    const int result = PMPI_Irecv(data, count, type, source, tag, communicator, &request);
    const Operation receive{RequestKind::Receive, source, tag, communicator};
    if (known == nullptr && result == MPI_SUCCESS) return region.completeUnknown("MPI_Recv", request, receive, status);
    return result == MPI_SUCCESS ? region.complete("MPI_Recv", request, receive, status) : result;
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int source, int tag, MPI_Comm communicator, MPI_Request* request) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Irecv(data, count, type, source, tag, communicator, request);
    const Turn turn("MPI_Irecv");
    Region& region = *activeRegion;
    *request = MPI_REQUEST_NULL;
    if (!region.admits(communicator)) return region.answer();
    const Communicator* const known = region.use("MPI_Irecv", communicator);
    if (known == nullptr) return region.isPassing() ? PMPI_Irecv(data, count, type, source, tag, communicator, request) : MPI_ERR_OTHER;
    CallRing::ofProcess().note({.name = "MPI_Irecv", .communicator = known->id, .peer = source, .count = count, .tag = tag});
    const int result = PMPI_Irecv(data, count, type, source, tag, communicator, request);
    if (result == MPI_SUCCESS) region.requests().add(*request, {RequestKind::Receive, source, tag, communicator});
    return result;
}

int MPI_Sendrecv(const void* sent, int sentCount, MPI_Datatype sentType, int destination, int sentTag, void* received, int receivedCount,
                 MPI_Datatype receivedType, int source, int receivedTag, MPI_Comm communicator, MPI_Status* status) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Sendrecv(sent, sentCount, sentType, destination, sentTag, received, receivedCount, receivedType, source, receivedTag,
                             communicator, status);
    const Turn turn("MPI_Sendrecv");
    Region& region = *activeRegion;
    if (!region.admits(communicator)) return region.answer();
    const Communicator* const known = region.noteSend("MPI_Sendrecv", destination, sentTag, communicator);
    if (known == nullptr && region.isPassing()) {
        const Turn::Pause pause;
        return PMPI_Sendrecv(sent, sentCount, sentType, destination, sentTag, received, receivedCount, receivedType, source, receivedTag,
                             communicator, status);
    }
    if (known == nullptr) return MPI_ERR_OTHER;
    CallRing::ofProcess().note(
        {.name = "MPI_Sendrecv", .communicator = known->id, .peer = source, .count = receivedCount, .tag = receivedTag});
    const std::array<Operation, 2> operations{
        {{RequestKind::Receive, source, receivedTag, communicator}, {RequestKind::Send, destination, sentTag, communicator}}};
    MPI_Request receive = MPI_REQUEST_NULL;
    MPI_Request send = MPI_REQUEST_NULL;
    int result = PMPI_Irecv(received, receivedCount, receivedType, source, receivedTag, communicator, &receive);
    if (result != MPI_SUCCESS) return result;
    result = PMPI_Isend(sent, sentCount, sentType, destination, sentTag, communicator, &send);
    if (result == MPI_SUCCESS) return completeBoth(region, "MPI_Sendrecv", {receive, send}, operations, status);
    region.requests().add(receive, operations[0]);
    return result;
}

int MPI_Sendrecv_replace(void* data, int count, MPI_Datatype type, int destination, int sentTag, int source, int receivedTag,
                         MPI_Comm communicator, MPI_Status* status) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Sendrecv_replace(data, count, type, destination, sentTag, source, receivedTag, communicator, status);
    const Turn turn("MPI_Sendrecv_replace");
    Region& region = *activeRegion;
    if (!region.admits(communicator)) return region.answer();
    const Communicator* const known = region.noteSend("MPI_Sendrecv_replace", destination, sentTag, communicator);
    if (known == nullptr && region.isPassing()) {
        const Turn::Pause pause;
        return PMPI_Sendrecv_replace(data, count, type, destination, sentTag, source, receivedTag, communicator, status);
    }
    if (known == nullptr) return MPI_ERR_OTHER;
    CallRing::ofProcess().note(
        {.name = "MPI_Sendrecv_replace", .communicator = known->id, .peer = source, .count = count, .tag = receivedTag});
    const PackedCopy copy(data, count, type, communicator);
    const std::array<Operation, 2> operations{
        {{RequestKind::Receive, source, receivedTag, communicator}, {RequestKind::Send, destination, sentTag, communicator}}};
    MPI_Request receive = MPI_REQUEST_NULL;
    MPI_Request send = MPI_REQUEST_NULL;
    int result = PMPI_Irecv(data, count, type, source, receivedTag, communicator, &receive);
    if (result != MPI_SUCCESS) return result;
    result = copy.send(destination, sentTag, communicator, &send);
    if (result == MPI_SUCCESS) return completeBoth(region, "MPI_Sendrecv_replace", {receive, send}, operations, status);
    region.requests().add(receive, operations[0]);
    return result;
}
