#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include <ferry/device/DevicePool.hpp>
#include <ferry/device/image/ImageWalk.hpp>
#include <ferry/device/layout/ViewWithin.hpp>

namespace ferry {

class Device;

namespace detail {
struct DeviceImages;

/// Errors: UsageError for elements at a null pointer, and for more bytes than a memory has.
void requireArray(const void* first, std::size_t count, std::size_t elementBytes);
}    // namespace detail

/// Objects on a device: an object of the host with all objects that its pointers lead to, or the part that a View shows.
///
///     auto there = device.copy(simulation);
///     device.run(count, [s = there.get()](std::size_t i) { s->atoms->positions[i] += s->atoms->forces[i]; });
///     there.fetch();
///
/// Ownership: refers to the objects of the host, which outlive it. fetch() writes into them. Copies of a DeviceCopy do not exist. After a
/// move from it, get() is null, and all other calls throw UsageError.
/// Threads: used by one thread at a time, with the Device.
template <class T, class ViewOfObject = Whole>
class DeviceCopy {
public:
    /// The address of the object on the device, for kernels alone. Changes when update() takes a new shape to the device.
    T* get() const noexcept { return arena_.isMoved() ? nullptr : reinterpret_cast<T*>(arena_->root()); }

    /// Waits for the kernels, and brings the values back into the objects of the host. A pointer that a kernel changed leads to the object
    /// of the host whose copy it led to. A pointer that no kernel changed is not touched.
    /// Errors: those of the kernels. DeviceError (StrayPointer, ChangedShape). UsageError when the host's objects have another shape than
    /// at the copy. After an error, a part of the values has come back.
    void fetch() requires(!std::is_const_v<T>) { arena_->fetch(); }

    /// Like fetch(), for the part that the View shows. All other members of the host stay as they are.
    template <class ViewOfPart>
    void fetch() requires(!std::is_const_v<T>) {
        constexpr bool isCopied = detail::isViewWithin<ViewOfPart, ViewOfObject>();
        static_assert(
            isCopied,
            "ferry: fetch<View>() brings back members that were copied: the View of copy(ferry::part<View>(...)) leaves out a member "
            "that the View of fetch names");
        if constexpr (isCopied) arena_->fetchPart(detail::imageTypeOf<std::remove_cv_t<T>, ViewOfPart>());
    }

    /// Takes the present values of the host to the device. The shape may have changed; get() may then have another value.
    /// Errors: those of Device::copy. After one that comes with a new shape, the copy has ended.
    void update() { arena_->update(); }

    /// The address on the device of anything that was copied, for kernels alone. Null for null. The pointer may lead into an array.
    /// Errors: DeviceError (NotCopied).
    template <class U>
    U* address(U* host) const {
        return reinterpret_cast<U*>(const_cast<std::byte*>(arena_->addressOf(host)));
    }

    /// Bytes of the copied objects and arrays, without the gaps between them.
    std::size_t bytes() const { return arena_->plan().payloadBytes(); }
    /// Number of the copied objects and arrays.
    std::size_t objects() const { return arena_->plan().objectCount(); }

private:
    friend class Device;
    friend struct detail::DeviceImages;

    DeviceCopy(std::shared_ptr<detail::DevicePool> pool, T& object) : arena_(std::move(pool), std::addressof(object)) {
        using Object = std::remove_cv_t<T>;
        arena_->send(const_cast<Object*>(std::addressof(object)), 1, detail::imageTypeOf<Object, ViewOfObject>(), !std::is_const_v<T>);
    }

    detail::PooledArena arena_;
};

/// An array on a device, without anything around it.
///
/// Ownership: refers to the array of the host, which outlives it.
template <class T>
class DeviceArray {
public:
    /// The address of the first element on the device, for kernels alone.
    T* get() const noexcept { return count_ == 0 || arena_.isMoved() ? nullptr : reinterpret_cast<T*>(arena_->root()); }
    std::size_t size() const noexcept { return count_; }

    /// As for DeviceCopy.
    void fetch() requires(!std::is_const_v<T>) {
        if (count_ != 0) arena_->fetch();
    }
    void update() {
        if (count_ != 0) arena_->update();
    }

private:
    friend class Device;

    DeviceArray(std::shared_ptr<detail::DevicePool> pool, T* first, std::size_t count) : arena_(std::move(pool), first), count_(count) {
        detail::requireArray(first, count, sizeof(T));
        using Element = std::remove_cv_t<T>;
        detail::noteArraysOf<Element>();
        if (count_ != 0) arena_->send(const_cast<Element*>(first), count_, detail::imageTypeOf<Element, Whole>(), !std::is_const_v<T>);
    }

    detail::PooledArena arena_;
    std::size_t count_;
};

}    // namespace ferry
