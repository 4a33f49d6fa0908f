#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <ferry/connector/transport/RingLane.hpp>
#include <ferry/connector/transport/RingMemory.hpp>

namespace ferry::detail {

/// Writes packets into a ring that another process reads. One line stays free for leave().
///
/// Ownership: borrows the memory, of sizeof(RingMemory) bytes. Threads: one writer, beside one reader. Errors: none; damage of the memory
/// makes the ring full.
class RingWriter {
public:
    explicit RingWriter(std::span<std::byte> memory) noexcept;

    /// Tells whether the reader has the memory.
    bool isAccepted() const noexcept;
    /// Tells whether the reader has taken everything.
    bool isDrained() noexcept;

    /// Writes a packet. Returns false when the ring has no room for it.
    bool put(std::span<const std::int32_t> ints) noexcept;
    /// Writes a mark. Returns false when the ring is full.
    bool mark() noexcept;
    /// Tells the reader that the next packets go another way. May be called once after each isDrained().
    void leave() noexcept;

private:
    RingLane* laneFor(std::uint32_t lineCount) noexcept;
    bool hasShortRoom(std::uint32_t lineCount) const noexcept;
    bool hasLongRoom(std::uint32_t lineCount) const noexcept;
    void readTaken() noexcept;
    [[gnu::always_inline]] inline void publish(RingLane& lane, RingMemory::Kind kind, std::size_t intCount) noexcept;
    void clearIfNumbered(const RingLane& lane, std::uint32_t number) const noexcept;

    RingMemory* ring_;
    RingLane short_;
    RingLane long_;
    std::uint32_t number_ = 1;        // of the next packet
    std::uint32_t takenShort_ = 0;    // as far as the writer knows
    std::uint32_t takenLong_ = 0;
    unsigned longLeft_ = 0;    // number of packets for the long lane, before the short lane is tried again
};

}    // namespace ferry::detail
