#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <ferry/framework/watch/WatchSecret.hpp>

namespace ferry {

/// The first bytes that a slave sends to the watcher: who it is. Format: docs/wire-format.md.
struct WatchHello {
    static constexpr std::size_t sizeBytes = 40;

    WatchSecret secret{};
    std::int32_t rank = -1;
    std::int32_t process = 0;    ///< its number on its host
    std::uint64_t host = 0;      ///< hostIdentity() there

    std::array<std::byte, sizeBytes> bytes() const;

    /// What the bytes say; none when they are no hello of a slave of this job: a wrong size, beginning or secret, or a rank that is not
    /// from 1 to rankCount - 1.
    static std::optional<WatchHello> read(std::span<const std::byte> bytes, const WatchSecret& secret, int rankCount);
};

}    // namespace ferry
