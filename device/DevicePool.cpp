#include <ferry/device/DevicePool.hpp>

#include <algorithm>
#include <utility>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

std::unique_ptr<ImageArena> DevicePool::take(const void* root) {
    if (!unused_.empty()) {
        const auto fitting = std::find_if(unused_.begin(), unused_.end(), [root](const auto& arena) { return arena->lastRoot() == root; });
        if (fitting != unused_.end()) std::swap(*fitting, unused_.back());
        std::unique_ptr<ImageArena> arena = std::move(unused_.back());
        unused_.pop_back();
        return arena;
    }
    unused_.reserve(made_ + 1);
    auto arena = std::make_unique<ImageArena>(*runtime_);
    ++made_;
    return arena;
}

void DevicePool::giveBack(std::unique_ptr<ImageArena> arena) noexcept {
    arena->retire();
    unused_.push_back(std::move(arena));
}

void PooledArena::failMoved() { throw UsageError("a copy on a device was used after it had been moved to another variable"); }

PooledArena& PooledArena::operator=(PooledArena&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(arena_, other.arena_);
    return *this;
}

PooledArena::~PooledArena() {
    if (arena_ != nullptr) pool_->giveBack(std::move(arena_));
}

}    // namespace ferry::detail
