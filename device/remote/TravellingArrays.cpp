#include <ferry/device/remote/TravellingArrays.hpp>

#include <utility>

#include <ferry/device/failure/DeviceError.hpp>

namespace ferry::detail {

TravellingArrays::TravellingArrays(const PooledArena& arena, const DeviceImage& image) : TravellingArrays(arena, image.arrayBytes) {
    Runtime& runtime = pool_->runtime();
    std::byte* device = arena->arrays(image);
    if (runtime.addressOutsideOfKernels(device, count_) != nullptr) {
        try {
            block_ = runtime.reserve(count_);
        } catch (const DeviceError& error) {
            if (error.problem() != DeviceProblem::OutOfDeviceMemory) throw;
        }
    }
    if (block_.address != nullptr) {
        runtime.copyWithin(block_.address, device, count_);
        bytes_ = runtime.addressOutsideOfKernels(block_.address, count_);
    } else {
        onHost_ = std::make_unique_for_overwrite<std::byte[]>(count_);
        runtime.copyFrom(onHost_.get(), device, count_);
        bytes_ = onHost_.get();
    }
}

TravellingArrays::~TravellingArrays() {
    if (block_.address != nullptr) pool_->runtime().release(block_);
}

void receiveArrays(Connector& connector, DeviceLink& link, int from, std::int32_t number, const PooledArena& arena,
                   std::shared_ptr<void> memory) {
    Runtime& runtime = arena.pool()->runtime();
    const DeviceBlock arrays = arena->arrivingArrays();
    if (std::byte* place = runtime.addressOutsideOfKernels(arrays.address, arrays.bytes); place != nullptr)
        return link.receive(connector, from, number, place, arrays.bytes, std::move(memory));
    const std::shared_ptr<std::byte[]> onHost = std::make_shared_for_overwrite<std::byte[]>(arrays.bytes);
    link.receive(connector, from, number, onHost.get(), arrays.bytes, onHost);
    runtime.copyTo(arrays.address, onHost.get(), arrays.bytes);
}

void dropArrays(Connector& connector, DeviceLink& link, int from, std::int32_t number, std::size_t bytes) noexcept {
    try {
        const std::shared_ptr<std::byte[]> onHost = std::make_shared_for_overwrite<std::byte[]>(bytes);
        link.receive(connector, from, number, onHost.get(), bytes, onHost);
    } catch (...) {    // the caller throws what went wrong first
    }
}

}    // namespace ferry::detail
