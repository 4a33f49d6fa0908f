#include <ferry/connector/transport/RingReader.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>

#include <fmt/format.h>

#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry::detail {

RingReader::RingReader(std::span<std::byte> memory) noexcept : ring_(reinterpret_cast<RingMemory*>(memory.data())) {}

void RingReader::accept() noexcept { std::atomic_ref(ring_->isAccepted).store(1, std::memory_order_release); }

std::optional<RingReader::Kind> RingReader::next() const {
    const std::uint64_t found = head();
    if (RingMemory::lapOf(found) != lap_) return std::nullopt;
    const Kind kind = RingMemory::kindOf(found);
    if (kind < Kind::Packet || kind > Kind::Leave) failDamaged(found);
    return kind;
}

void RingReader::take(IntBuffer& ints) {
    const std::size_t intCount = RingMemory::intCountOf(head());    // read once: the memory is the writer's, too
    if (intCount > RingMemory::mostInts) failDamaged(head());
    ints.resizeUninitialized(intCount);
    const RingMemory::Slot& slot = ring_->slots[slots_ % RingMemory::slotCount];
    const std::size_t inSlot = std::min(intCount, RingMemory::slotInts);
    std::copy_n(slot.ints.data(), inSlot, ints.data());    // there may be none
    if (inSlot != intCount) {
        const std::size_t place = lines_ % RingMemory::roomLines * (RingMemory::lineBytes / sizeof(std::int32_t));
        const std::size_t upToEnd = std::min(intCount - inSlot, RingMemory::roomInts - place);
        std::memcpy(ints.data() + inSlot, ring_->room.data() + place, upToEnd * sizeof(std::int32_t));
        if (inSlot + upToEnd != intCount)
            std::memcpy(ints.data() + inSlot + upToEnd, ring_->room.data(), (intCount - inSlot - upToEnd) * sizeof(std::int32_t));
    }
    advance(RingMemory::linesOf(intCount));
}

void RingReader::advance(std::uint32_t lines) noexcept {
    lines_ += lines;
    if (++slots_ % RingMemory::slotCount == 0) ++lap_;
    std::atomic_ref(ring_->taken).store(std::uint64_t{lines_} << 32 | slots_, std::memory_order_release);
}

void RingReader::failDamaged(std::uint64_t head) {
    throw SerializationError(fmt::format("expected a kind from {} to {} and at most {} ints in a slot of shared memory, found {} and {}",
                                         static_cast<int>(Kind::Packet), static_cast<int>(Kind::Leave), RingMemory::mostInts,
                                         static_cast<int>(RingMemory::kindOf(head)), RingMemory::intCountOf(head)));
}

}    // namespace ferry::detail
