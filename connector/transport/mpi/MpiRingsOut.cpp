#include <ferry/connector/transport/mpi/MpiRingsOut.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

#include <ferry/connector/transport/mpi/MpiOffer.hpp>

namespace ferry::detail {

namespace {

// A ring is worth its memory for a receiver of more packets than these.
constexpr unsigned packetsBeforeRing = 8;

}    // namespace

void MpiRingsOut::prepare(int ownRank, int rankCount, const MpiHost& host) {
    if (host.ranks.size() <= 1) return;
    rings_.resize(static_cast<std::size_t>(rankCount));
    for (const int neighbour : host.ranks) {
        if (neighbour != ownRank) rings_[static_cast<std::size_t>(neighbour)].state = State::Wanted;
    }
}

/// Puts a packet into a ring that may not be open, or is full.
bool MpiRingsOut::putLater(int to, Ring& ring, const IntBuffer& ints) {
    if (ints.size() > RingMemory::mostInts) return false;
    switch (ring.state) {
        case State::None: return false;
        case State::Wanted:
            if (++ring.packetCount > packetsBeforeRing) offer(to, ring);
            return false;
        case State::Open: leave(ring); return false;    // the ring is full
        case State::Offered:
            if (!ring.writer->isAccepted()) return false;
            ring.memory.close();
            break;
        case State::Left:
            if (!ring.writer->isDrained()) return false;
            break;
    }
    sendMpiNote(sends_, to, roads_.data, RingTag, 0);
    ring.state = State::Open;
    return ring.writer->put(ints.ints());    // there is room: the ring is empty
}

/// Makes a ring and offers it to its receiver. Without memory the packets go on over MPI.
void MpiRingsOut::offer(int to, Ring& ring) {
    ring.state = State::None;
    if (ringCount_ == mpiMostRings) return;
    ring.memory = SharedMemory::create(sizeof(RingMemory));
    if (!ring.memory.isMapped()) return;
    std::array<std::int32_t, sizeof(SharedMemory::Address) / sizeof(std::int32_t)> address{};
    std::memcpy(address.data(), &ring.memory.address(), sizeof address);
    try {
        sends_.start(to, roads_.data, RingOfferTag, IntBuffer(address));
    } catch (const std::bad_alloc&) {
        ring = Ring();
        return;
    }
    ring.writer.emplace(ring.memory.bytes());
    ring.state = State::Offered;
    ++ringCount_;
}

void MpiRingsOut::leave(Ring& ring) noexcept {
    ring.writer->leave();
    ring.state = State::Left;
}

void MpiRingsOut::mark(int to) noexcept {
    if (rings_.empty()) return;
    Ring& ring = rings_[static_cast<std::size_t>(to)];
    if (ring.state != State::Open) return;
    // The receiver looks for the mark when it gets the packet. MPI makes all earlier writes visible with its message.
    if (!ring.writer->mark()) leave(ring);
}

void MpiRingsOut::forget(int rank) noexcept {
    if (!rings_.empty()) rings_[static_cast<std::size_t>(rank)] = Ring();
}

}    // namespace ferry::detail
