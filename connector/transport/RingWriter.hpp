#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <ferry/connector/transport/RingMemory.hpp>

namespace ferry::detail {

/// Writes packets into a ring that another process reads. One slot stays free for leave().
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
    bool hasRoom(std::uint32_t lines) noexcept;
    bool isFree(std::uint32_t lines) const noexcept;
    void readTaken() noexcept;
    RingMemory::Slot& nextSlot() noexcept { return ring_->slots[slots_ % RingMemory::slotCount]; }
    void publish(RingMemory::Kind kind, std::size_t intCount) noexcept;
    void copyToRoom(std::span<const std::int32_t> ints) noexcept;

    RingMemory* ring_;
    std::uint32_t lap_ = 1;
    std::uint32_t slots_ = 0;    // written
    std::uint32_t lines_ = 0;    // written
    std::uint32_t takenSlots_ = 0;
    std::uint32_t takenLines_ = 0;
};

}    // namespace ferry::detail
