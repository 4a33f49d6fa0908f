#pragma once

#include <cstddef>
#include <cstdint>

namespace ferry {

/// What a reader accepts at most. The defaults let every honest message pass; a count is checked against what is left of the message
/// besides, whatever the limits say.
struct ReadLimits {
    std::size_t depth = 64;                             ///< objects nested in each other
    std::uint64_t elements = std::uint64_t{1} << 36;    ///< of all containers of a message together
    std::uint64_t bytes = std::uint64_t{1} << 40;       ///< that these elements take in memory
    std::size_t ownerChain = 10'000;                    ///< shared objects each of which owns the next: destroyed one inside the other

    // Elements that take no int, which nothing in a message justifies.
    static constexpr std::size_t emptyElements(std::size_t messageInts) noexcept { return 65536 + messageInts; }
    /// That they take in memory.
    static constexpr std::size_t emptyBytes(std::size_t messageInts) noexcept { return 65536 + 8 * sizeof(std::int32_t) * messageInts; }
};

}    // namespace ferry
