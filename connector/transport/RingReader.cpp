#include <ferry/connector/transport/RingReader.hpp>

#include <atomic>

#include <fmt/format.h>

#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry::detail {

RingReader::RingReader(std::span<std::byte> memory) noexcept
    : ring_(reinterpret_cast<RingMemory*>(memory.data())),
      short_(ring_->shortLane),
      long_(ring_->longLane) {}

void RingReader::accept() noexcept { std::atomic_ref(ring_->isAccepted).store(1, std::memory_order_release); }

std::optional<RingReader::Kind> RingReader::next() const {
    std::uint64_t found = short_.head().load(std::memory_order_acquire);
    if (RingMemory::numberOf(found) != number_) {
        found = long_.head().load(std::memory_order_acquire);
        if (RingMemory::numberOf(found) != number_) return std::nullopt;
    }
    const Kind kind = RingMemory::kindOf(found);
    if (kind < Kind::Packet || kind > Kind::Leave) failDamaged(found);
    return kind;
}

void RingReader::take(IntBuffer& ints) {
    RingLane& lane = laneOfNext();
    const std::uint64_t head = lane.head().load(std::memory_order_acquire);    // read once: the memory is the writer's, too
    const std::size_t intCount = RingMemory::intCountOf(head);
    const std::uint32_t lineCount = RingMemory::linesOf(intCount);
    if (intCount > RingMemory::mostInts || lineCount > lane.lineCount()) failDamaged(head);
    ints.resizeUninitialized(intCount);
    lane.read({ints.data(), intCount});
    advance(lane, lineCount);
}

void RingReader::advance(RingLane& lane, std::uint32_t lineCount) noexcept {
    lane.advance(lineCount);
    ++number_;
    std::atomic_ref(ring_->taken).store(std::uint64_t{long_.passed()} << 32 | short_.passed(), std::memory_order_release);
}

void RingReader::failDamaged(std::uint64_t head) {
    throw SerializationError(fmt::format("expected a kind from {} to {} and at most {} ints in a ring of shared memory, found {} and {}",
                                         static_cast<int>(Kind::Packet), static_cast<int>(Kind::Leave), RingMemory::mostInts,
                                         static_cast<int>(RingMemory::kindOf(head)), RingMemory::intCountOf(head)));
}

}    // namespace ferry::detail
