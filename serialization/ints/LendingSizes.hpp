#pragma once

#include <cstddef>
#include <limits>

namespace ferry {

/// From which sizes on it pays to lend an array instead of copying it.
struct LendingSizes {
    static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
    /// An array that lies in blocks is copied when it has more.
    static constexpr std::size_t mostBytesInBlocks = std::size_t{1} << 30;

    std::size_t arrayBytes = never;    ///< of the whole array
    std::size_t blockBytes = never;    ///< and of what lies in one piece, when it lies in blocks (BlockLayout)
};

}    // namespace ferry
