#pragma once

#include <cstddef>

namespace ferry::test {

/// While the object lives, it records the requests to operator new on its thread. One object at a time.
class AllocationWatch {
public:
    AllocationWatch() noexcept;
    ~AllocationWatch();
    AllocationWatch(const AllocationWatch&) = delete;
    AllocationWatch& operator=(const AllocationWatch&) = delete;

    /// Size of the largest single block in bytes.
    std::size_t largestBytes() const noexcept;
    /// Peak of the memory in use beyond the memory in use at the start of the watch. Blocks count with the sizes that the allocator gave
    /// them.
    std::size_t peakBytes() const noexcept;
    /// The part of this memory that is still in use. Negative when earlier memory was freed.
    std::ptrdiff_t inUseBytes() const noexcept;
};

}    // namespace ferry::test
