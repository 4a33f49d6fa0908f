#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <ferry/connector/transport/RingMemory.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry::detail {

/// Reads packets from a ring that another process writes.
///
/// Ownership: borrows the memory, of sizeof(RingMemory) bytes. Threads: one reader, beside one writer. Errors: SerializationError for slots
/// that no writer has made.
class RingReader {
public:
    using Kind = RingMemory::Kind;

    explicit RingReader(std::span<std::byte> memory) noexcept;

    /// Tells the writer that the reader has the memory.
    void accept() noexcept;

    /// Tells whether something has come that was not taken.
    bool hasNext() const noexcept { return RingMemory::lapOf(head()) == lap_; }
    /// Returns the kind of the next thing in the ring, if any has come.
    std::optional<Kind> next() const;

    /// Takes the next thing, which must be a packet. The ints replace those of the buffer. After a std::bad_alloc nothing was taken.
    void take(IntBuffer& ints);
    /// Takes the next thing, which must be here and no packet.
    void skip() noexcept { advance(0); }

private:
    std::uint64_t head() const noexcept {
        return std::atomic_ref(ring_->slots[slots_ % RingMemory::slotCount].head).load(std::memory_order_acquire);
    }
    void advance(std::uint32_t lines) noexcept;
    [[noreturn]] static void failDamaged(std::uint64_t head);

    RingMemory* ring_;
    std::uint32_t lap_ = 1;
    std::uint32_t slots_ = 0;    // taken
    std::uint32_t lines_ = 0;    // taken
};

}    // namespace ferry::detail
