#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ferry::detail {

/// The memory of a ring: packets from one rank to another on the same host, which the two processes share. One writes, one reads.
///
/// Each packet has a slot of one cache line. Ints that do not fit into the slot lie in the room behind the slots. The head of a slot
/// carries the lap in which the slot was written, so that the reader needs no other line to see whether the slot is new. Memory of zeros is
/// an empty ring.
struct RingMemory {
    enum class Kind : std::uint8_t {
        Packet = 1,
        Mark = 2,     ///< in the place of a packet that goes another way
        Leave = 3,    ///< all later packets go another way, until the writer says that it goes on here
    };

    static constexpr std::size_t slotCount = 256;
    static constexpr std::size_t lineBytes = 64;
    static constexpr std::size_t slotInts = 14;    ///< ints in the slot itself
    static constexpr std::size_t roomLines = 1024;
    static constexpr std::size_t roomInts = roomLines * lineBytes / sizeof(std::int32_t);
    static constexpr std::size_t mostInts = 4096;    ///< size of the largest packet

    struct alignas(lineBytes) Slot {
        std::uint64_t head;
        std::array<std::int32_t, slotInts> ints;
    };

    /// The head of slot number `index`, counted from the beginning of the ring.
    static constexpr std::uint64_t headOf(std::uint32_t lap, Kind kind, std::size_t intCount) noexcept {
        return std::uint64_t{lap} << 32 | std::uint64_t{static_cast<std::uint8_t>(kind)} << 24 | intCount;
    }
    static constexpr std::uint32_t lapOf(std::uint64_t head) noexcept { return static_cast<std::uint32_t>(head >> 32); }
    static constexpr Kind kindOf(std::uint64_t head) noexcept { return static_cast<Kind>(head >> 24 & 0xff); }
    static constexpr std::size_t intCountOf(std::uint64_t head) noexcept { return head & 0xffffff; }

    /// The number of lines of the room that a packet takes.
    static constexpr std::uint32_t linesOf(std::size_t intCount) noexcept {
        constexpr std::size_t lineInts = lineBytes / sizeof(std::int32_t);
        return intCount <= slotInts ? 0 : static_cast<std::uint32_t>((intCount - slotInts + lineInts - 1) / lineInts);
    }

    alignas(lineBytes) std::uint64_t isAccepted;    ///< not 0: the reader has the memory
    alignas(lineBytes) std::uint64_t taken;         ///< by the reader: low half slots, high half lines of the room, both counted on and on
    std::array<Slot, slotCount> slots;
    alignas(lineBytes) std::array<std::int32_t, roomInts> room;
};

}    // namespace ferry::detail
