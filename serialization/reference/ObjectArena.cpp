#include <ferry/serialization/reference/ObjectArena.hpp>

#include <algorithm>

namespace ferry::detail {

void* ObjectArena::allocateInNewBlock(std::size_t bytes, std::size_t alignment) {
    constexpr std::size_t LargestBlockBytes = std::size_t{1} << 20;
    const std::size_t wanted = std::max(blockBytes_, bytes + alignment);
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(wanted));
    next_ = blocks_.back().get();
    end_ = next_ + wanted;
    blockBytes_ = std::min(2 * blockBytes_, LargestBlockBytes);
    return allocate(bytes, alignment);
}

}    // namespace ferry::detail
