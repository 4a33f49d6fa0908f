#pragma once

#include <cstddef>
#include <cstdint>

namespace ferry {

/// The limits of a reader. The defaults accept every honest message. A count is also checked against the remaining ints of the message,
/// whatever the limits are.
struct ReadLimits {
    std::size_t depth = 64;                             ///< objects nested in each other
    std::uint64_t elements = std::uint64_t{1} << 36;    ///< elements of all containers of a message together
    std::uint64_t bytes = std::uint64_t{1} << 40;       ///< memory of these elements
    std::size_t ownerChain = 10'000;                    ///< shared objects in a row that own each other; destroyed by recursion

    // Roomy elements and objects take more than 32 bytes of memory for each int that they must take in the message. Together they may take
    // memoryBase bytes, plus memoryPerByte bytes for each byte of the message.
    std::uint64_t memoryPerByte = 192;
    std::uint64_t memoryBase = std::uint64_t{16} << 20;

    /// The limits of readers that get no limits of their own: those of messages and files. Set it before the first such reader is made.
    static void setDefault(const ReadLimits& limits) noexcept;
    static const ReadLimits& getDefault() noexcept;

    static constexpr bool isRoomy(std::size_t bytes, std::size_t minInts) noexcept { return bytes > 8 * sizeof(std::int32_t) * minInts; }

    // Limits for elements that take no int, because no int of the message justifies them: their number, and their memory in bytes.
    static constexpr std::size_t emptyElements(std::size_t messageInts) noexcept { return 65536 + messageInts; }
    static constexpr std::size_t emptyBytes(std::size_t messageInts) noexcept { return 65536 + 8 * sizeof(std::int32_t) * messageInts; }
};

namespace detail {
inline constinit ReadLimits defaultReadLimits;

/// The number of ints of a message up to which packed elements reach at most 1/32 of the limits.
constexpr std::uint64_t limitNear(const ReadLimits& limits) noexcept {
    return (limits.elements < limits.bytes ? limits.elements : limits.bytes) / 1024;
}
inline constinit std::uint64_t defaultLimitNear = limitNear(ReadLimits());
}    // namespace detail

inline void ReadLimits::setDefault(const ReadLimits& limits) noexcept {
    detail::defaultReadLimits = limits;
    detail::defaultLimitNear = detail::limitNear(limits);
}
inline const ReadLimits& ReadLimits::getDefault() noexcept { return detail::defaultReadLimits; }

}    // namespace ferry
