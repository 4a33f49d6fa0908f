#include <ferry/connector/transport/RingWriter.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>

namespace ferry::detail {

RingWriter::RingWriter(std::span<std::byte> memory) noexcept : ring_(reinterpret_cast<RingMemory*>(memory.data())) {}

bool RingWriter::isAccepted() const noexcept { return std::atomic_ref(ring_->isAccepted).load(std::memory_order_acquire) != 0; }

bool RingWriter::isDrained() noexcept {
    readTaken();
    return takenSlots_ == slots_ && takenLines_ == lines_;
}

bool RingWriter::put(std::span<const std::int32_t> ints) noexcept {
    if (ints.size() > RingMemory::mostInts || !hasRoom(RingMemory::linesOf(ints.size()))) return false;
    const std::size_t inSlot = std::min(ints.size(), RingMemory::slotInts);
    std::copy_n(ints.data(), inSlot, nextSlot().ints.data());    // there may be none
    if (inSlot != ints.size()) copyToRoom(ints.subspan(inSlot));
    publish(RingMemory::Kind::Packet, ints.size());
    return true;
}

bool RingWriter::mark() noexcept {
    if (!hasRoom(0)) return false;
    publish(RingMemory::Kind::Mark, 0);
    return true;
}

void RingWriter::leave() noexcept { publish(RingMemory::Kind::Leave, 0); }

bool RingWriter::hasRoom(std::uint32_t lines) noexcept {
    if (isFree(lines)) return true;
    readTaken();
    return isFree(lines);
}

/// Tells whether a slot is free beside the one for leave(), and the lines of the room.
bool RingWriter::isFree(std::uint32_t lines) const noexcept {
    const std::uint32_t usedSlots = slots_ - takenSlots_;    // counts wrap around
    const std::uint32_t usedLines = lines_ - takenLines_;
    return usedSlots < RingMemory::slotCount - 1 && usedLines <= RingMemory::roomLines && lines <= RingMemory::roomLines - usedLines;
}

void RingWriter::readTaken() noexcept {
    const std::uint64_t taken = std::atomic_ref(ring_->taken).load(std::memory_order_acquire);
    takenSlots_ = static_cast<std::uint32_t>(taken);
    takenLines_ = static_cast<std::uint32_t>(taken >> 32);
}

void RingWriter::publish(RingMemory::Kind kind, std::size_t intCount) noexcept {
    std::atomic_ref(nextSlot().head).store(RingMemory::headOf(lap_, kind, intCount), std::memory_order_release);
    if (++slots_ % RingMemory::slotCount == 0) ++lap_;
}

void RingWriter::copyToRoom(std::span<const std::int32_t> ints) noexcept {
    const std::size_t place = lines_ % RingMemory::roomLines * (RingMemory::lineBytes / sizeof(std::int32_t));
    const std::size_t upToEnd = std::min(ints.size(), RingMemory::roomInts - place);
    std::memcpy(ring_->room.data() + place, ints.data(), upToEnd * sizeof(std::int32_t));
    if (upToEnd != ints.size()) std::memcpy(ring_->room.data(), ints.data() + upToEnd, (ints.size() - upToEnd) * sizeof(std::int32_t));
    lines_ += RingMemory::linesOf(RingMemory::slotInts + ints.size());
}

}    // namespace ferry::detail
