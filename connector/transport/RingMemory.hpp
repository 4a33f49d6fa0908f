#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ferry::detail {

/// The memory of a ring: packets from one rank to another on the same host, which the two processes share. One writes, one reads.
///
/// A packet takes neighbouring cache lines of a lane; behind the last line of the lane comes the first one. The packet begins with a head,
/// which carries the number of the packet. So the reader needs no other line to see that the packet is new. Packets use the short lane as
/// long as there is room: its lines stay in the caches of both processors. The reader looks for the next number at one place in each lane.
/// Memory of zeros is an empty ring.
struct RingMemory {
    enum class Kind : std::uint8_t {
        Packet = 1,
        Mark = 2,     ///< in the place of a packet that goes another way
        Leave = 3,    ///< all later packets go another way, until the writer says that it goes on here
    };

    static constexpr std::size_t lineBytes = 64;
    static constexpr std::size_t shortLines = 96;
    static constexpr std::size_t longLines = 1184;
    static constexpr std::size_t mostInts = 4096 + 256;    ///< size of the largest packet: 16 KiB and what stands before them

    struct alignas(lineBytes) Line {
        std::uint64_t head;    ///< where a packet begins
        std::array<std::int32_t, 14> ints;
    };

    /// The head of a packet. The numbers of packets begin with 1, and 0 follows the greatest one.
    static constexpr std::uint64_t headOf(std::uint32_t number, Kind kind, std::size_t intCount) noexcept {
        return std::uint64_t{number} << 32 | std::uint64_t{static_cast<std::uint8_t>(kind)} << 24 | intCount;
    }
    static constexpr std::uint32_t numberOf(std::uint64_t head) noexcept { return static_cast<std::uint32_t>(head >> 32); }
    static constexpr Kind kindOf(std::uint64_t head) noexcept { return static_cast<Kind>(head >> 24 & 0xff); }
    static constexpr std::size_t intCountOf(std::uint64_t head) noexcept { return head & 0xffffff; }

    /// The number of lines that a packet takes.
    static constexpr std::uint32_t linesOf(std::size_t intCount) noexcept {
        return static_cast<std::uint32_t>((sizeof(Line::head) + intCount * sizeof(std::int32_t) + lineBytes - 1) / lineBytes);
    }

    alignas(lineBytes) std::uint64_t isAccepted;    ///< not 0: the reader has the memory
    alignas(
        lineBytes) std::uint64_t taken;    ///< lines taken by the reader: low half short lane, high half long lane, both counted on and on
    std::array<Line, shortLines> shortLane;
    std::array<Line, longLines> longLane;
};

}    // namespace ferry::detail
