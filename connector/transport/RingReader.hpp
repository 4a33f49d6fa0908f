#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <ferry/connector/transport/RingLane.hpp>
#include <ferry/connector/transport/RingMemory.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry::detail {

/// Reads packets from a ring that another process writes.
///
/// Ownership: borrows the memory, of sizeof(RingMemory) bytes. Threads: one reader, beside one writer. Errors: SerializationError for heads
/// that no writer has made.
class RingReader {
public:
    using Kind = RingMemory::Kind;

    explicit RingReader(std::span<std::byte> memory) noexcept;

    /// Tells the writer that the reader has the memory.
    void accept() noexcept;

    /// Tells whether something has come that was not taken.
    bool hasNext() const noexcept { return isNextIn(short_) || isNextIn(long_); }
    /// Returns the kind of the next thing in the ring, if any has come.
    std::optional<Kind> next() const;

    /// Takes the next thing, which must be a packet. The ints replace those of the buffer. After a std::bad_alloc nothing was taken.
    void take(IntBuffer& ints);
    /// Takes the next thing, which must be here and no packet.
    void skip() noexcept { advance(laneOfNext(), 1); }

private:
    bool isNextIn(const RingLane& lane) const noexcept {
        return RingMemory::numberOf(lane.head().load(std::memory_order_acquire)) == number_;
    }
    /// The lane of the next thing, which must be here.
    RingLane& laneOfNext() noexcept { return isNextIn(short_) ? short_ : long_; }
    void advance(RingLane& lane, std::uint32_t lineCount) noexcept;
    [[noreturn]] static void failDamaged(std::uint64_t head);

    RingMemory* ring_;
    RingLane short_;
    RingLane long_;
    std::uint32_t number_ = 1;    // of the next packet
};

}    // namespace ferry::detail
