#pragma once

#include <cstddef>

namespace ferry {

/// How many work items a launch has, and how many of them make a group. Remembers the place of the launch.
struct KernelRange {
    /// groupItems: 0 lets the device choose.
    KernelRange(std::size_t items_, std::size_t groupItems_ = 0, const char* file_ = __builtin_FILE(),
                int line_ = __builtin_LINE()) noexcept
        : items(items_),
          groupItems(groupItems_),
          file(file_),
          line(line_) {}

    std::size_t items;
    std::size_t groupItems;
    const char* file;
    int line;
};

/// How many blocks a launch of CUDA has, and how many threads each block. Remembers the place of the launch.
struct KernelBlocks {
    KernelBlocks(std::size_t blocks_, std::size_t threads_, const char* file_ = __builtin_FILE(), int line_ = __builtin_LINE()) noexcept
        : blocks(blocks_),
          threads(threads_),
          file(file_),
          line(line_) {}

    std::size_t blocks;
    std::size_t threads;
    const char* file;
    int line;
};

}    // namespace ferry
