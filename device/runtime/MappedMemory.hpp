#pragma once

#include <cstddef>
#include <map>

#include <ferry/device/runtime/Runtime.hpp>

namespace ferry::detail {

/// The memory of the host device: one file in memory, mapped twice.
///
/// Kernels use the first mapping. The mapping is forbidden while no kernel runs, so that the host cannot follow a device pointer. Transfers
/// use the second mapping. Each block ends before a forbidden page.
///
/// Errors: DeviceError (OutOfDeviceMemory).
class MappedMemory {
public:
    /// capacity: the most bytes of all blocks together.
    explicit MappedMemory(std::size_t capacity);
    MappedMemory(const MappedMemory&) = delete;
    MappedMemory& operator=(const MappedMemory&) = delete;
    ~MappedMemory();

    DeviceBlock reserve(std::size_t bytes);
    /// Gives the pages back to the system.
    void release(DeviceBlock block) noexcept;

    /// The place of device memory in the second mapping. Errors: DeviceError (NotCopied) for memory that is in no block.
    std::byte* forTransfer(const std::byte* device, std::size_t bytes) const;

    /// Whether allow() opens the block. A new block is in use.
    void setInUse(const DeviceBlock& block, bool isInUse) noexcept;
    /// Errors: DeviceError (OutOfDeviceMemory) when the system allows no more pieces of memory with a protection of their own. All blocks
    /// are forbidden then.
    void allow();
    void forbid() noexcept;

private:
    /// Returns the number of the system's error, or 0.
    int setAccess(int protection) noexcept;

    std::size_t capacity_;
    std::size_t used_ = 0;
    int file_ = -1;
    std::byte* kernels_ = nullptr;
    std::byte* transfers_ = nullptr;
    struct Pages {
        std::size_t bytes = 0;
        bool isInUse = true;
    };

    std::map<std::size_t, Pages> blocks_;    // by their offsets
};

}    // namespace ferry::detail
