#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include <ferry/device/DevicePool.hpp>
#include <ferry/device/DeviceQueue.hpp>
#include <ferry/device/program/KernelDeclarations.hpp>
#include <ferry/device/runtime/KernelRange.hpp>
#include <ferry/device/runtime/Runtime.hpp>

namespace ferry {

namespace detail {

/// A value for the time of a launch, as the device's language has it.
template <class T>
auto kernelValueOf(const T& value) {
    if constexpr (isDeviceHolder<T>) {
        return static_cast<const void*>(value.get());
    } else if constexpr (std::is_pointer_v<T>) {
        return static_cast<const void*>(value);
    } else if constexpr (std::is_same_v<T, bool>) {
        return static_cast<unsigned char>(value);
    } else {
        constexpr bool isKnown = isDeviceBlock<T>() && !std::is_array_v<T> && std::is_trivially_copyable_v<T>;
        static_assert(isKnown,
                      "ferry: an argument of a kernel is a copy on the device, a pointer of the device, a number, or a struct without "
                      "pointers: copy anything else with Device::copy()");
        return value;
    }
}

}    // namespace detail

/// Kernels in OpenCL C that a device has compiled.
///
///     auto program = device.program<Simulation>(R"(
///         kernel void move(global Simulation* s, double dt) {
///             const size_t i = get_global_id(0);
///             xassert(s->masses.data[i] > 0, "mass {}", i);
///             s->atoms->positions[i] += dt * s->atoms->forces[i] / s->masses.data[i];
///         })");
///     auto there = device.copy(simulation);
///     program.launch("move", {count}, there, 0.01);
///     there.fetch();
///
/// Ownership: a device lives as long as its programs.
/// Threads: used by one thread at a time, with the Device.
class DeviceProgram {
public:
    /// Puts a launch behind all transfers and launches before it, and returns. An argument is a DeviceCopy, a DeviceArray, a DeviceGraph,
    /// an address of the device, a number, or a struct without pointers.
    ///
    /// Errors: UsageError for a kernel that is not there, and for arguments that do not fit it. DeviceError (NotCopied) for an address that
    /// is none of the device. Failures of the kernel arrive from Device::wait(), and from fetch() and update() of any copy:
    /// AssertionFailure of an xassert in the kernel, and DeviceError (KernelFault).
    template <class... Arguments>
    void launch(std::string_view kernel, const KernelRange& range, const Arguments&... arguments) {
        launchValues(detail::QueueNumber::First, kernel, range, detail::kernelValueOf(arguments)...);
    }
    /// As above, in another queue of the device. Errors: UsageError for a queue of another device besides.
    template <class... Arguments>
    void launch(DeviceQueue& queue, std::string_view kernel, const KernelRange& range, const Arguments&... arguments) {
        detail::requireOneDevice(&queue.queue_->runtime() == &pool_->runtime());
        launchValues(queue.queue_->number(), kernel, range, detail::kernelValueOf(arguments)...);
    }

private:
    friend class Device;

    DeviceProgram(std::shared_ptr<detail::DevicePool> pool, detail::KernelText text)
        : pool_(std::move(pool)),
          program_(pool_->runtime().build(std::move(text))) {}

    template <class... Values>
    void launchValues(detail::QueueNumber queue, std::string_view kernel, const KernelRange& range, const Values&... values) {
        const std::array<detail::KernelArgument, sizeof...(Values)> list{
            detail::KernelArgument{std::addressof(values), sizeof(Values), std::is_pointer_v<Values>}...};
        ++pool_->runtime().counts().launches;
        program_->launch(queue, kernel, range, list);
    }

    std::shared_ptr<detail::DevicePool> pool_;    // outlives the program
    std::unique_ptr<detail::RuntimeProgram> program_;
};

}    // namespace ferry
