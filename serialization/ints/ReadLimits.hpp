#pragma once

#include <cstddef>
#include <cstdint>

namespace ferry {

/// The limits of a reader. The defaults let every honest message pass; a count is checked against what is left of the message
/// besides, whatever the limits say.
struct ReadLimits {
    std::size_t depth = 64;                             ///< objects nested in each other
    std::uint64_t elements = std::uint64_t{1} << 36;    ///< of all containers of a message together
    std::uint64_t bytes = std::uint64_t{1} << 40;       ///< that these elements take in memory
    std::size_t ownerChain = 10'000;                    ///< shared objects each of which owns the next: destroyed one inside the other

    // Roomy elements and objects have more than 32 bytes of memory for each int that they must take: the message says little of them. All
    // of them together may have memoryBase bytes, and memoryPerByte bytes for each byte of the message.
    std::uint64_t memoryPerByte = 192;
    std::uint64_t memoryBase = std::uint64_t{16} << 20;

    /// Sets the limits of readers that are given none of their own: the readers of messages and files. Set it before the first of them is
    /// made.
    static void setDefault(const ReadLimits& limits) noexcept;
    static const ReadLimits& getDefault() noexcept;

    static constexpr bool isRoomy(std::size_t bytes, std::size_t minInts) noexcept { return bytes > 8 * sizeof(std::int32_t) * minInts; }

    // Elements that take no int, which nothing in a message justifies.
    static constexpr std::size_t emptyElements(std::size_t messageInts) noexcept { return 65536 + messageInts; }
    /// That they take in memory.
    static constexpr std::size_t emptyBytes(std::size_t messageInts) noexcept { return 65536 + 8 * sizeof(std::int32_t) * messageInts; }
};

namespace detail {
inline constinit ReadLimits defaultReadLimits;
}

inline void ReadLimits::setDefault(const ReadLimits& limits) noexcept { detail::defaultReadLimits = limits; }
inline const ReadLimits& ReadLimits::getDefault() noexcept { return detail::defaultReadLimits; }

}    // namespace ferry
