#pragma once

#include <memory>
#include <vector>

#include <ferry/device/image/ImageArena.hpp>
#include <ferry/device/runtime/Runtime.hpp>

namespace ferry::detail {

/// A device with the arenas that no copy uses at present.
///
/// Threads: used by one thread at a time.
class DevicePool {
public:
    explicit DevicePool(std::unique_ptr<Runtime> runtime) : runtime_(std::move(runtime)) {}

    Runtime& runtime() noexcept { return *runtime_; }

    /// An arena that held this object before, where there is one: its memory fits.
    std::unique_ptr<ImageArena> take(const void* root);
    void giveBack(std::unique_ptr<ImageArena> arena) noexcept;
    /// Gives the memory of unused arenas back to the system.
    void trim() noexcept { unused_.clear(); }

private:
    std::unique_ptr<Runtime> runtime_;    // outlives the arenas
    std::size_t made_ = 0;
    std::vector<std::unique_ptr<ImageArena>> unused_;    // has room for all that were made
};

/// An arena that goes back to its pool in the end.
class PooledArena {
public:
    PooledArena(std::shared_ptr<DevicePool> pool, const void* root) : pool_(std::move(pool)), arena_(pool_->take(root)) {}
    PooledArena(PooledArena&&) noexcept = default;
    PooledArena& operator=(PooledArena&& other) noexcept;
    ~PooledArena();

    /// Errors: UsageError when the arena has been moved from.
    ImageArena* operator->() const {
        if (arena_ == nullptr) failMoved();
        return arena_.get();
    }
    bool isMoved() const noexcept { return arena_ == nullptr; }
    const std::shared_ptr<DevicePool>& pool() const noexcept { return pool_; }

private:
    [[noreturn]] static void failMoved();

    std::shared_ptr<DevicePool> pool_;
    std::unique_ptr<ImageArena> arena_;
};

}    // namespace ferry::detail
