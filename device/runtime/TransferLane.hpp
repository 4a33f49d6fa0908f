#pragma once

#include <cstddef>
#include <string_view>

namespace ferry::detail {

/// The transfers of a device, as PagedTransfers and ImageTransfers need them. They happen in the order of the calls, and behind the
/// launches before them.
///
/// Threads: used by one thread. A driver that several threads call at once is several times slower.
/// Errors: the calls with a number return 0 or an error number of the device.
class TransferLane {
public:
    static constexpr std::size_t Fences = 32;    // the first half for buffers, the others for parts of an image
    static constexpr std::size_t Ahead = 4;      ///< transfers from the device that have begun before they are awaited

    virtual ~TransferLane() = default;

    /// Memory of the host that stays in place, or null when there is none.
    virtual std::byte* makeBuffer(std::size_t bytes) noexcept = 0;
    virtual void freeBuffer(std::byte* buffer) noexcept = 0;
    /// Whether the system may move this memory of the host.
    virtual bool isPaged(const void* host) noexcept = 0;

    /// Begins a transfer. Memory that stays in place must not be written, or read, before the transfer has ended.
    virtual int beginCopyTo(std::byte* device, const void* host, std::size_t bytes) noexcept = 0;
    virtual int beginCopyFrom(void* host, const std::byte* device, std::size_t bytes) noexcept = 0;
    /// Puts the fence behind the transfers that have begun.
    virtual int setFence(std::size_t number) noexcept = 0;
    /// Waits for the transfers before the fence. A fence that was never set has nothing before it.
    virtual int waitForFence(std::size_t number) noexcept = 0;
    virtual int waitForAll() noexcept = 0;
    /// Throws for an error number.
    virtual void require(int code, std::string_view action) = 0;
};

}    // namespace ferry::detail
