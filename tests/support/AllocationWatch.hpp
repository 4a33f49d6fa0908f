#pragma once

#include <cstddef>

namespace ferry::test {

/// While it lives, notes what operator new was asked for. One at a time, for one thread.
class AllocationWatch {
public:
    AllocationWatch() noexcept;
    ~AllocationWatch();
    AllocationWatch(const AllocationWatch&) = delete;
    AllocationWatch& operator=(const AllocationWatch&) = delete;

    /// The largest single block.
    std::size_t largestBytes() const noexcept;
    /// The most that was in use at once, in blocks as large as the allocator made them, beyond what was in use when the watch began.
    std::size_t peakBytes() const noexcept;
    /// What is still in use of that; negative when memory was given back that was in use before.
    std::ptrdiff_t inUseBytes() const noexcept;
};

}    // namespace ferry::test
