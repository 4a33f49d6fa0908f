#include <ferry/connector/transport/MpiReceives.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/transport/MpiCheck.hpp>
#include <ferry/connector/transport/MpiFailures.hpp>
#include <ferry/connector/transport/MpiKept.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry {

MpiReceives::~MpiReceives() {
    if (!receives_.empty()) keepForMpi(std::move(receives_));
}

void MpiReceives::startControl(int from, int intCount, IntBuffer ints) {
    ints.resizeUninitialized(static_cast<std::size_t>(intCount));
    // Behind other control packets, and before all data.
    const auto isData = [](const Receive& other) { return other.packet.channel == Channel::Data; };
    const Place place = receives_.insert(std::find_if(receives_.begin(), receives_.end(), isData),
                                         Receive{Packet{from, Channel::Control, std::move(ints), nullptr}});
    Receive& receive = *place;
    startPiece(receive, reinterpret_cast<std::byte*>(receive.packet.ints.data()), intCount * static_cast<int>(sizeof(std::int32_t)),
               PacketTag, roads_.control);
}

void MpiReceives::startPiece(Receive& receive, std::byte* bytes, int byteCount, int tag, MPI_Comm communicator) {
    receive.byteCounts.push_back(byteCount);
    receive.requests.push_back(MPI_REQUEST_NULL);
    const int result = MPI_Irecv(bytes, byteCount, MPI_BYTE, receive.packet.from, tag, communicator, &receive.requests.back());
    if (isOfLostRank(result)) {
        receive.isLost = true;
    } else {
        checkMpi(result, "MPI_Irecv", communicator, receive.packet.from);
    }
}

void MpiReceives::startAnnounced(int from, const Announcement& announcement) {
    IntBuffer ints;
    ints.resizeUninitialized(announcement.packetInts);    // memory that nothing is written to costs addresses only
    receives_.push_back({Packet{from, Channel::Data, std::move(ints), nullptr}});
    Receive& receive = receives_.back();
    receive.transfer = announcement.transfer;
    receive.announcement = announcement;
    std::int32_t* target = receive.packet.ints.data();
    if (announcement.inside.empty()) {
        start(receive, target, announcement.otherInts());
    } else {
        std::copy(announcement.inside.begin(), announcement.inside.end(), target);
    }
    receive.announcement.inside = {};
    moveOn(receive);
}

void MpiReceives::start(Receive& receive, std::int32_t* target, std::size_t intCount) {
    inMpiPieces(reinterpret_cast<std::byte*>(target), intCount,
                [&](std::byte* bytes, int byteCount) { startPiece(receive, bytes, byteCount, receive.transfer, roads_.large); });
}

void MpiReceives::startArrays(Receive& receive) {
    receive.state = State::Coming;
    std::int32_t* ints = receive.packet.ints.data();
    for (const Announcement::Array& array : std::exchange(receive.announcement.arrays, {}))
        start(receive, ints + array.place, array.intCount);
}

/// Whether all that was requested is here.
bool MpiReceives::hasCome(Receive& receive) {
    if (receive.isLost) return false;
    if (receive.requests.empty()) return true;
    int areComplete = 0;
    std::vector<MPI_Status> statuses(receive.requests.size());
    const int result = MPI_Testall(static_cast<int>(receive.requests.size()), receive.requests.data(), &areComplete, statuses.data());
    if (isOfLostRank(result) || (result == MPI_ERR_IN_STATUS && isAnyOfLostRank(statuses))) {
        receive.isLost = true;
        return false;
    }
    checkMpi(result, "MPI_Testall");
    if (areComplete == 0) return false;
    for (std::size_t i = 0; i < statuses.size(); ++i) {
        int byteCount = 0;
        checkMpi(MPI_Get_count(&statuses[i], MPI_BYTE, &byteCount), "MPI_Get_count");
        if (byteCount != receive.byteCounts[i])
            throw SerializationError(
                fmt::format("expected {} bytes from rank {}, found {}", receive.byteCounts[i], receive.packet.from, byteCount));
    }
    receive.requests.clear();
    receive.byteCounts.clear();
    return true;
}

/// Background transfers need no attention but this.
void MpiReceives::moveOn(Receive& receive) {
    if (receive.state != State::Coming) return;
    if (!hasCome(receive)) return;
    if (receive.announcement.arrays.empty()) {
        receive.state = State::Whole;
        return;
    }
    receive.announcement.spread(receive.packet.ints.data());
    receive.state = State::Offered;
    if (receive.isCopied) startArrays(receive);
}

void MpiReceives::forget(int rank) {
    std::list<Receive> lost;
    for (Place place = receives_.begin(); place != receives_.end();) {
        const Place next = std::next(place);
        if (place->packet.from == rank) lost.splice(lost.end(), receives_, place);
        place = next;
    }
    if (!lost.empty()) keepForMpi(std::move(lost));
}

void MpiReceives::noteCopied(int from, std::int32_t transfer) {
    for (Receive& receive : receives_) {
        if (receive.packet.from != from || receive.transfer != transfer || receive.isCopied) continue;
        receive.isCopied = true;
        if (receive.state == State::Offered) startArrays(receive);
        return;
    }
}

MpiReceives::Place MpiReceives::findReady() {
    for (Place place = receives_.begin(); place != receives_.end(); ++place) {
        moveOn(*place);
        const bool isReady = place->state == State::Whole || place->state == State::Offered;
        if (isReady && isFirstOfSender(place)) return place;
    }
    return receives_.end();
}

bool MpiReceives::isFirstOfSender(std::list<Receive>::const_iterator place) const {
    return std::none_of(receives_.begin(), place, [&](const Receive& other) {
        return other.packet.from == place->packet.from && other.packet.channel == place->packet.channel;
    });
}

Packet MpiReceives::take(Place place) {
    Packet packet = std::move(place->packet);
    receives_.erase(place);
    return packet;
}

MpiReceives::Place MpiReceives::findHandedOut() {
    return std::find_if(receives_.begin(), receives_.end(), [](const Receive& receive) { return receive.state == State::HandedOut; });
}

}    // namespace ferry
