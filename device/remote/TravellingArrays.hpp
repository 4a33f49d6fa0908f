#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <ferry/connector/Connector.hpp>
#include <ferry/device/DevicePool.hpp>
#include <ferry/device/image/DeviceImage.hpp>
#include <ferry/device/remote/DeviceLink.hpp>

namespace ferry::detail {

/// The arrays of an image that leaves its device, while a link sends them.
///
/// Ownership: memory of the device, which lives meanwhile. Memory of the host where a link cannot use that of the device, and where the
/// device has no room.
class TravellingArrays {
public:
    /// Copies the arrays, so that they may change on the device.
    TravellingArrays(const PooledArena& arena, const DeviceImage& image);
    TravellingArrays(const TravellingArrays&) = delete;
    TravellingArrays& operator=(const TravellingArrays&) = delete;
    ~TravellingArrays();

    const std::byte* bytes() const noexcept { return bytes_; }
    std::size_t count() const noexcept { return count_; }

private:
    explicit TravellingArrays(const PooledArena& arena, std::size_t count) : pool_(arena.pool()), count_(count) {}

    std::shared_ptr<DevicePool> pool_;
    std::size_t count_;
    DeviceBlock block_;
    std::unique_ptr<std::byte[]> onHost_;
    const std::byte* bytes_ = nullptr;
};

/// Receives the arrays of an image that has arrived in the arena without them. memory: owns the arena.
void receiveArrays(Connector& connector, DeviceLink& link, int from, std::int32_t number, const PooledArena& arena,
                   std::shared_ptr<void> memory);
/// Receives the arrays of an image that found no place, so that the sender does not wait for ever. Throws nothing, because the failure of
/// the image is thrown afterwards.
void dropArrays(Connector& connector, DeviceLink& link, int from, std::int32_t number, std::size_t bytes) noexcept;

}    // namespace ferry::detail
