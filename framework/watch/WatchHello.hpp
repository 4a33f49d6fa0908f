#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <ferry/framework/watch/WatchSecret.hpp>

namespace ferry::detail {

/// The first bytes that a slave sends to the watcher: its identity. Format: docs/wire-format.md.
struct WatchHello {
    static constexpr std::size_t sizeBytes = 40;

    WatchSecret secret{};
    std::int32_t rank = -1;
    std::int32_t process = 0;    ///< process number on the slave's host
    std::uint64_t host = 0;      ///< hostIdentity() of the slave

    std::array<std::byte, sizeBytes> bytes() const;

    /// Reads a hello. Empty: the bytes are no hello of a slave of this job. Their size, beginning or secret is wrong, or the rank is not
    /// from 1 to rankCount - 1.
    static std::optional<WatchHello> read(std::span<const std::byte> bytes, const WatchSecret& secret, int rankCount);
};

}    // namespace ferry::detail
