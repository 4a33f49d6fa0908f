#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <ferry/device/DeviceCopy.hpp>
#include <ferry/device/DevicePool.hpp>
#include <ferry/device/image/DeviceImage.hpp>

namespace ferry {

template <class T>
class DeviceGraph;

/// The objects of a copy on their way to another device: a value that travels as any other. ferry::deviceGraph makes one.
template <class T>
struct DeviceGraphLetter {
    detail::DeviceImage image;

    void writeToInts(IntWriter& out) const { image.writeToInts(out); }
    void readFromInts(IntReader& in) { image.readFromInts(in); }
};

namespace detail {

/// Takes images from devices and puts images there.
struct DeviceImages {
    template <class Copy>
    static const PooledArena& arenaOf(const Copy& copy) noexcept {
        return copy.arena_;
    }
    template <class T, class Device>
    static DeviceGraph<T> arrive(Device& device, DeviceGraphLetter<T> letter) {
        return DeviceGraph<T>(device.pool_, std::move(letter.image));
    }
};

/// Errors: UsageError when the root has another type, or fewer bytes are left for it.
void requireImageOf(const DeviceImage& image, const std::type_info& type, std::size_t bytes);

}    // namespace detail

/// Objects on a device that came from another device, with all objects that their pointers lead to. No objects of this host belong to
/// them.
///
/// Ownership: the memory of the device. A device lives as long as its graphs.
/// Threads: used by one thread at a time, with the Device.
template <class T>
class DeviceGraph {
public:
    /// The address of the root on the device, for kernels alone.
    T* get() const noexcept { return arena_.isMoved() ? nullptr : reinterpret_cast<T*>(arena_->root()); }

private:
    friend struct detail::DeviceImages;

    DeviceGraph(std::shared_ptr<detail::DevicePool> pool, detail::DeviceImage image) : arena_(std::move(pool), nullptr) {
        detail::requireImageOf(image, typeid(T), sizeof(T));
        arena_->arrive(std::move(image));
    }

    detail::PooledArena arena_;
};

/// The present objects of a copy on a device, as a value: connector.send(1, ferry::deviceGraph(there)). The values are those of the device,
/// not those of the host. ferry::receiveDeviceGraph takes them to another device, where they have other addresses.
///
/// Errors: those of the kernels. UsageError when the host's objects have another shape than at the copy. DeviceError (StrayPointer).
template <class T>
DeviceGraphLetter<std::remove_const_t<T>> deviceGraph(const DeviceCopy<T>& there) {
    return {detail::DeviceImages::arenaOf(there)->leave()};
}
template <class T>
DeviceGraphLetter<T> deviceGraph(const DeviceGraph<T>& there) {
    return {detail::DeviceImages::arenaOf(there)->leave()};
}

}    // namespace ferry
