#include <ferry/connector/transport/mpi/MpiReceives.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <new>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/transport/mpi/MpiFailures.hpp>
#include <ferry/connector/transport/mpi/MpiKept.hpp>
#include <ferry/connector/transport/mpi/calls/MpiCheck.hpp>
#include <ferry/connector/transport/mpi/calls/MpiDropType.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry::detail {

namespace {

// Limits of the number of ints that are kept of a packet without memory. The kept ints suffice to know its receiver.
constexpr std::size_t mostKeptInts = 4096;
constexpr std::size_t fewestKeptInts = 64;

}    // namespace

MpiReceives::~MpiReceives() {
    if (!receives_.empty()) keepForMpi(std::move(receives_));
}

void MpiReceives::startControl(int from, int intCount, IntBuffer ints) {
    ints.resizeUninitialized(static_cast<std::size_t>(intCount));
    // The packet goes behind other control packets, and before all data.
    const auto isData = [](const Receive& other) { return other.packet.channel == Channel::Data; };
    std::list<Receive> fresh;
    Receive& receive = fresh.emplace_back();
    receive.packet.from = from;
    receive.packet.channel = Channel::Control;
    receive.packet.ints = std::move(ints);
    reserve(receive, 1);
    receives_.splice(std::find_if(receives_.begin(), receives_.end(), isData), fresh);
    const int byteCount = intCount * static_cast<int>(sizeof(std::int32_t));
    startPiece(receive, receive.packet.ints.data(), byteCount, MPI_BYTE, byteCount, PacketTag, roads_.control);
}

void MpiReceives::add(Packet packet) noexcept {
    receives_.splice(receives_.end(), room_);
    receives_.back().packet = std::move(packet);
    receives_.back().state = State::Whole;
}

/// Reserves memory, so that later receives start without an allocation.
void MpiReceives::reserve(Receive& receive, std::size_t pieceCount) {
    receive.requests.reserve(pieceCount);
    receive.byteCounts.reserve(pieceCount);
    receive.statuses.resize(pieceCount);
}

void MpiReceives::startPiece(Receive& receive, void* target, int count, MPI_Datatype type, int byteCount, int tag, MPI_Comm communicator) {
    receive.byteCounts.push_back(byteCount);
    receive.requests.push_back(MPI_REQUEST_NULL);
    const int result = MPI_Irecv(target, count, type, receive.packet.from, tag, communicator, &receive.requests.back());
    if (isOfLostRank(result)) {
        receive.isLost = true;
    } else {
        checkMpi(result, "MPI_Irecv", communicator, receive.packet.from);
    }
}

void MpiReceives::startAnnounced(int from, const Announcement& announcement) {
    std::list<Receive> fresh;
    Receive& receive = fresh.emplace_back();
    receive.packet.from = from;
    receive.transfer = announcement.transfer;
    receive.announcement = announcement;
    receive.announcement.inside = {};
    std::size_t pieceCount = mpiPieceCount(announcement.otherInts());
    for (const Announcement::Array& array : announcement.arrays) pieceCount += mpiPieceCount(array.intCount);
    reserve(receive, pieceCount);
    makeRoomFor(receive);
    receives_.splice(receives_.end(), fresh);    // the sender waits from here on, so no further allocation may follow
    if (announcement.inside.empty()) {
        start(receive, 0, announcement.otherInts());
    } else {
        const std::size_t keptInts = std::min(announcement.inside.size(), receive.packet.ints.ownSize());
        std::copy_n(announcement.inside.begin(), keptInts, receive.packet.ints.data());
    }
    moveOn(receive);
}

/// Makes room for the whole packet, or else for its first ints and for the dropped ones behind them.
void MpiReceives::makeRoomFor(Receive& receive) {
    const Announcement& announcement = receive.announcement;
    IntBuffer& ints = receive.packet.ints;
    try {
        return ints.resizeUninitialized(announcement.packetInts);    // memory without a write to it costs addresses only
    } catch (const std::bad_alloc&) {}
    constexpr std::size_t droppedInts = MpiDropType::roomBytes / sizeof(std::int32_t);
    const std::size_t firstInts = announcement.arrays.empty() ? announcement.packetInts : announcement.arrays.front().place;
    std::size_t keptInts = std::min(mostKeptInts, firstInts);
    try {
        ints.resizeUninitialized(keptInts + droppedInts);
    } catch (const std::bad_alloc&) {
        keptInts = std::min(fewestKeptInts, firstInts);
        ints.resizeUninitialized(keptInts + droppedInts);
    }
    ints.resizeWithin(keptInts);
    receive.packet.missingInts = announcement.packetInts - keptInts;
}

void MpiReceives::start(Receive& receive, std::size_t place, std::size_t intCount) {
    if (receive.packet.missingInts != 0) return startDropping(receive, place, intCount);
    inMpiPieces(reinterpret_cast<std::byte*>(receive.packet.ints.data() + place), intCount, [&](std::byte* bytes, int byteCount) {
        startPiece(receive, bytes, byteCount, MPI_BYTE, byteCount, receive.transfer, roads_.large);
    });
}

/// Receives the first ints of the packet to their place and drops the others.
void MpiReceives::startDropping(Receive& receive, std::size_t place, std::size_t intCount) {
    IntBuffer& ints = receive.packet.ints;
    std::size_t keptInts = place == 0 ? ints.ownSize() : 0;
    while (intCount != 0) {
        const std::size_t now = std::min(mpiPieceInts, intCount);
        const int byteCount = static_cast<int>(now * sizeof(std::int32_t));
        const MpiDropType dropped(static_cast<int>(keptInts * sizeof(std::int32_t)), byteCount);
        startPiece(receive, ints.data() + (ints.ownSize() - keptInts), 1, dropped.type(), byteCount, receive.transfer, roads_.large);
        keptInts = 0;
        intCount -= now;
    }
}

void MpiReceives::startArrays(Receive& receive) {
    receive.state = State::Coming;
    for (const Announcement::Array& array : std::exchange(receive.announcement.arrays, {})) start(receive, array.place, array.intCount);
}

/// Tells whether all requested pieces have come.
bool MpiReceives::hasCome(Receive& receive) {
    if (receive.isLost) return false;
    if (receive.requests.empty()) return true;
    int areComplete = 0;
    const std::span<MPI_Status> statuses = std::span(receive.statuses).first(receive.requests.size());
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

/// Moves a receive on as far as its pieces have come. Transfers in the background need no other attention.
void MpiReceives::moveOn(Receive& receive) {
    if (receive.state != State::Coming) return;
    if (!hasCome(receive)) return;
    if (receive.announcement.arrays.empty()) {
        receive.state = State::Whole;
        return;
    }
    const bool isDropped = receive.packet.missingInts != 0;    // the sender copies arrays that are not asked for
    if (!isDropped) receive.announcement.spread(receive.packet.ints.data());
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

bool MpiReceives::hasDataOf(int from) const noexcept {
    return std::any_of(receives_.begin(), receives_.end(),
                       [from](const Receive& receive) { return receive.packet.from == from && receive.packet.channel == Channel::Data; });
}

MpiReceives::Place MpiReceives::findReady() {
    for (Place place = receives_.begin(); place != receives_.end(); ++place) {
        moveOn(*place);
        const bool isReady = place->state == State::Whole || (place->state == State::Offered && place->packet.missingInts == 0);
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

}    // namespace ferry::detail
