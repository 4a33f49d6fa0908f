#pragma once

#include <cstddef>

namespace ferry::test {

/// While it lives, notes the largest block that operator new was asked for. One at a time, for one thread.
class AllocationWatch {
public:
    AllocationWatch() noexcept;
    ~AllocationWatch();
    AllocationWatch(const AllocationWatch&) = delete;
    AllocationWatch& operator=(const AllocationWatch&) = delete;

    std::size_t largestBytes() const noexcept;
};

}    // namespace ferry::test
