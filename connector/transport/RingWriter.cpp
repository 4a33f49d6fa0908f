#include <ferry/connector/transport/RingWriter.hpp>

#include <atomic>

namespace ferry::detail {

namespace {

// The look whether the reader has taken lines costs as much as a packet. A writer that is ahead of its reader looks after each
// packetsOfLongLane packets.
constexpr unsigned packetsOfLongLane = 32;

}    // namespace

RingWriter::RingWriter(std::span<std::byte> memory) noexcept
    : ring_(reinterpret_cast<RingMemory*>(memory.data())),
      short_(ring_->shortLane),
      long_(ring_->longLane) {}

bool RingWriter::isAccepted() const noexcept { return std::atomic_ref(ring_->isAccepted).load(std::memory_order_acquire) != 0; }

bool RingWriter::isDrained() noexcept {
    readTaken();
    return takenShort_ == short_.passed() && takenLong_ == long_.passed();
}

bool RingWriter::put(std::span<const std::int32_t> ints) noexcept {
    if (ints.size() > RingMemory::mostInts) return false;
    RingLane* const lane = laneFor(RingMemory::linesOf(ints.size()));
    if (lane == nullptr) return false;
    lane->write(ints);
    publish(*lane, RingMemory::Kind::Packet, ints.size());
    return true;
}

bool RingWriter::mark() noexcept {
    RingLane* const lane = laneFor(1);
    if (lane == nullptr) return false;
    publish(*lane, RingMemory::Kind::Mark, 0);
    return true;
}

void RingWriter::leave() noexcept { publish(long_, RingMemory::Kind::Leave, 0); }

/// Returns the lane that has room; null: none has.
RingLane* RingWriter::laneFor(std::uint32_t lineCount) noexcept {
    if (longLeft_ == 0) [[likely]] {
        if (hasShortRoom(lineCount)) return &short_;
        readTaken();
        if (hasShortRoom(lineCount)) return &short_;
        if (lineCount <= RingMemory::shortLines) longLeft_ = packetsOfLongLane;
    } else {
        --longLeft_;
    }
    if (hasLongRoom(lineCount)) return &long_;
    readTaken();
    return hasLongRoom(lineCount) ? &long_ : nullptr;
}

bool RingWriter::hasShortRoom(std::uint32_t lineCount) const noexcept {
    const std::uint32_t usedLines = short_.passed() - takenShort_;    // counts wrap around
    return usedLines <= RingMemory::shortLines && lineCount <= RingMemory::shortLines - usedLines;
}

/// Tells whether there is room beside the line for leave().
bool RingWriter::hasLongRoom(std::uint32_t lineCount) const noexcept {
    const std::uint32_t usedLines = long_.passed() - takenLong_;
    return usedLines < RingMemory::longLines && lineCount < RingMemory::longLines - usedLines;
}

void RingWriter::readTaken() noexcept {
    const std::uint64_t taken = std::atomic_ref(ring_->taken).load(std::memory_order_acquire);
    takenShort_ = static_cast<std::uint32_t>(taken);
    takenLong_ = static_cast<std::uint32_t>(taken >> 32);
}

/// Shows the packet to the reader. Before that, the reader finds the next packet's number at neither of the places where it will look.
void RingWriter::publish(RingLane& lane, RingMemory::Kind kind, std::size_t intCount) noexcept {
    const std::atomic_ref<std::uint64_t> head = lane.head();
    const std::uint64_t shown = RingMemory::headOf(number_, kind, intCount);
    const std::uint32_t lineCount = RingMemory::linesOf(intCount);
    lane.advance(lineCount);
    ++number_;
    clearIfNumbered(short_, number_);
    clearIfNumbered(long_, number_);
    head.store(shown, std::memory_order_release);
    lane.prepareToWrite(lineCount - 1);
}

/// Ints of an earlier packet may look like the head of the next packet.
void RingWriter::clearIfNumbered(const RingLane& lane, std::uint32_t number) const noexcept {
    if (RingMemory::numberOf(lane.head().load(std::memory_order_relaxed)) == number) [[unlikely]]
        lane.head().store(RingMemory::headOf(~number, RingMemory::Kind::Mark, 0), std::memory_order_relaxed);
}

}    // namespace ferry::detail
