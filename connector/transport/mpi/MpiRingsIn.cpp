#include <ferry/connector/transport/mpi/MpiRingsIn.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry::detail {

void MpiRingsIn::accept(int from, std::span<const std::int32_t> address, bool isWanted) {
    SharedMemory::Address found;
    if (address.size_bytes() != sizeof found || find(from) != nullptr)
        throw SerializationError(fmt::format("expected the address of a first ring of rank {} in {} bytes, found {} bytes, and {} ring",
                                             from, sizeof found, address.size_bytes(), find(from) != nullptr ? "a" : "no"));
    if (!isWanted || rings_.size() == mpiMostRings) return;
    std::memcpy(static_cast<void*>(&found), address.data(), sizeof found);
    SharedMemory memory = SharedMemory::open(found, sizeof(RingMemory));
    if (!memory.isMapped()) return;
    rings_.reserve(rings_.size() + 1);
    open_.reserve(rings_.size() + 1);
    rings_.push_back(std::make_unique<Ring>(from, std::move(memory)));
    rings_.back()->reader.accept();
}

void MpiRingsIn::open(int from) {
    Ring* const ring = find(from);
    if (ring == nullptr && std::find(forgotten_.begin(), forgotten_.end(), from) != forgotten_.end()) return;
    if (ring == nullptr || ring->isOpen)
        throw SerializationError(
            fmt::format("expected a closed ring of rank {}, found {}", from, ring == nullptr ? "none" : "an open one"));
    ring->isOpen = true;
    open_.push_back(ring);    // accept() has made room
}

bool MpiRingsIn::hasNext(unsigned looks) const noexcept {
    for (std::size_t look = 0;;) {
        for (const Ring* const ring : open_) {
            if (ring->reader.hasNext()) return true;
        }
        look += open_.size();
        if (look >= looks) return false;
    }
}

void MpiRingsIn::take(int except, std::optional<Packet>& packet) {
    for (std::size_t look = 0; look < open_.size(); ++look) {
        if (turn_ >= open_.size()) turn_ = 0;
        Ring& ring = *open_[turn_];
        ++turn_;
        const std::optional<RingReader::Kind> kind = ring.reader.next();
        if (!kind || mustWait(ring, except)) continue;
        if (*kind == RingReader::Kind::Packet) [[likely]] {
            takePacket(ring, packet.emplace());
            return;
        }
        if (*kind == RingReader::Kind::Leave) close(ring);
    }
}

/// Whether an earlier packet of the sender has come over MPI and is not whole yet.
bool MpiRingsIn::mustWait(const Ring& ring, int except) const noexcept {
    return ring.from == except || (!receives_.isEmpty() && receives_.hasDataOf(ring.from));
}

void MpiRingsIn::takePacket(Ring& ring, Packet& packet) {
    packet.from = ring.from;
    packet.ints = pool_.take();
    ring.reader.take(packet.ints);
}

void MpiRingsIn::takeUpToMark(int from) {
    Ring* const ring = find(from);
    for (;;) {
        const std::optional<RingReader::Kind> kind = ring->reader.next();
        if (!kind) throw SerializationError(fmt::format("expected a mark for a packet of rank {} in its ring, found nothing", from));
        if (*kind == RingReader::Kind::Leave) return close(*ring);
        if (*kind == RingReader::Kind::Mark) return ring->reader.skip();
        receives_.makeRoom();
        Packet packet;
        takePacket(*ring, packet);
        receives_.add(std::move(packet));
    }
}

void MpiRingsIn::close(Ring& ring) noexcept {
    ring.reader.skip();
    ring.isOpen = false;
    std::erase(open_, &ring);
}

void MpiRingsIn::forget(int rank) {
    Ring* const ring = find(rank);
    if (ring == nullptr) return;
    forgotten_.push_back(rank);
    std::erase(open_, ring);
    std::erase_if(rings_, [ring](const auto& each) { return each.get() == ring; });
}

MpiRingsIn::Ring* MpiRingsIn::find(int from) const noexcept {
    const auto found = std::find_if(rings_.begin(), rings_.end(), [from](const auto& ring) { return ring->from == from; });
    return found != rings_.end() ? found->get() : nullptr;
}

}    // namespace ferry::detail
