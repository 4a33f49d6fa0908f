#pragma once

#include <cstddef>
#include <limits>

namespace ferry::detail {

/// Least sizes from which lending an array costs less than copying it.
struct LendingSizes {
    static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
    /// Largest array in blocks that is lent. A larger one is copied.
    static constexpr std::size_t mostBytesInBlocks = std::size_t{1} << 30;

    std::size_t arrayBytes = never;    ///< size of the whole array
    std::size_t blockBytes = never;    ///< size of one piece, for an array in blocks (BlockLayout)
};

}    // namespace ferry::detail
