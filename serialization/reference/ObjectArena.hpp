#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ferry::detail {

/// Memory for many objects that are freed together. Does not call their destructors.
///
/// Errors: std::bad_alloc.
class ObjectArena {
public:
    void* allocate(std::size_t bytes, std::size_t alignment) {
        const auto place = reinterpret_cast<std::uintptr_t>(next_);
        const std::size_t gap = (alignment - place % alignment) % alignment;
        if (gap + bytes > static_cast<std::size_t>(end_ - next_)) [[unlikely]] {
            return allocateInNewBlock(bytes, alignment);
        }
        std::byte* object = next_ + gap;
        next_ = object + bytes;
        return object;
    }

private:
    void* allocateInNewBlock(std::size_t bytes, std::size_t alignment);

    std::vector<std::unique_ptr<std::byte[]>> blocks_;
    std::size_t blockBytes_ = 4096;    // size of the next block; blocks grow
    std::byte* next_ = nullptr;
    std::byte* end_ = nullptr;
};

}    // namespace ferry::detail
