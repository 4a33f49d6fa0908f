#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <ferry/device/DeviceCopy.hpp>
#include <ferry/device/DeviceGraph.hpp>
#include <ferry/device/DevicePool.hpp>
#include <ferry/device/runtime/KernelRange.hpp>
#include <ferry/device/runtime/Runtime.hpp>

namespace ferry {

namespace detail {

template <class T>
inline constexpr bool isDeviceHolder = false;
template <class T, class V>
inline constexpr bool isDeviceHolder<DeviceCopy<T, V>> = true;
template <class T>
inline constexpr bool isDeviceHolder<DeviceArray<T>> = true;
template <class T>
inline constexpr bool isDeviceHolder<DeviceGraph<T>> = true;

/// An argument of a launch as a kernel in C++ gets it: a copy is the address of its root.
template <class T>
auto kernelArgumentOf(const T& argument) {
    if constexpr (isDeviceHolder<T>)
        return argument.get();
    else
        return argument;
}
template <class T>
using KernelArgumentOf = decltype(kernelArgumentOf(std::declval<const T&>()));

/// A function with a parameter for each argument: a kernel of CUDA. A kernel for items has the number of the item besides.
template <class Kernel, std::size_t Arguments>
inline constexpr bool isBlockKernel = false;
template <class... Parameters, std::size_t Arguments>
inline constexpr bool isBlockKernel<void (*)(Parameters...), Arguments> = sizeof...(Parameters) == Arguments;

/// The sources of one compiler. Launches from sources of nvcc and of other compilers are different functions.
#ifdef __CUDACC__
struct LaunchesOfNvcc {
    static int launch(const CompiledKernel& kernel, CUstream_st* stream) {
        return static_cast<int>(cudaLaunchKernel(kernel.function, dim3(static_cast<unsigned>(kernel.blocks)),
                                                 dim3(static_cast<unsigned>(kernel.threads)), kernel.arguments, 0, stream));
    }
};
using LaunchesHere = LaunchesOfNvcc;
inline constexpr auto launchHere = &LaunchesOfNvcc::launch;

/// Lets each thread of CUDA do one item.
template <class Kernel, class... Values>
__global__ void runItemsOfBlocks(std::size_t count, Kernel kernel, Values... values) {
    const std::size_t item = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (item < count) kernel(item, values...);
}
template <class Kernel>
inline constexpr bool isForCuda = __nv_is_extended_device_lambda_closure_type(Kernel) ||
                                  __nv_is_extended_host_device_lambda_closure_type(Kernel);
template <class Kernel>
inline constexpr bool isForHost = !__nv_is_extended_device_lambda_closure_type(Kernel);
#else
struct LaunchesOfOthers {};
using LaunchesHere = LaunchesOfOthers;
inline constexpr int (*launchHere)(const CompiledKernel&, CUstream_st*) = nullptr;
template <class Kernel>
inline constexpr bool isForCuda = false;
template <class Kernel>
inline constexpr bool isForHost = true;
#endif

/// A queue of a device that is released in the end.
class OwnedQueue {
public:
    explicit OwnedQueue(std::shared_ptr<DevicePool> pool) : pool_(std::move(pool)), number_(pool_->runtime().makeQueue()) {}
    OwnedQueue(std::shared_ptr<DevicePool> pool, QueueNumber number) noexcept : pool_(std::move(pool)), number_(number) {}
    OwnedQueue(const OwnedQueue&) = delete;
    OwnedQueue& operator=(const OwnedQueue&) = delete;
    ~OwnedQueue() {
        if (number_ != QueueNumber::First) pool_->runtime().releaseQueue(number_);
    }

    Runtime& runtime() const noexcept { return pool_->runtime(); }
    QueueNumber number() const noexcept { return number_; }

private:
    std::shared_ptr<DevicePool> pool_;
    QueueNumber number_;
};

/// Errors: UsageError unless an event and a queue are of one device.
void requireOneDevice(bool isOne);

}    // namespace detail

/// A place in a queue of a device: reached when all is done that was put into the queue before it.
///
/// Ownership: a device lives as long as its events.
/// Threads: used by one thread at a time, with the Device.
class DeviceEvent {
public:
    /// Whether all before the event is done. Does not wait.
    bool isReached() const { return event_->isReached(); }
    /// Waits for the event. Failures of kernels arrive from Device::wait(), fetch() and update().
    void wait() const { event_->wait(); }

private:
    friend class DeviceQueue;

    DeviceEvent(std::shared_ptr<const detail::OwnedQueue> queue, std::unique_ptr<detail::RuntimeEvent> event)
        : queue_(std::move(queue)),
          event_(std::move(event)) {}

    std::shared_ptr<const detail::OwnedQueue> queue_;    // outlives the event
    std::unique_ptr<detail::RuntimeEvent> event_;
};

/// Launches that run one after the other. Launches of several queues may run at the same time.
///
///     ferry::DeviceQueue second = device.queue();
///     device.launch({count}, move, there, 0.01);
///     second.launch({count}, count, other);     // may run meanwhile
///     second.putBehind(device.mark());
///     second.launch({count}, measure, there);    // begins when move has ended
///
/// copy(), update() and fetch() wait for the launches of all queues, so that no launch sees half of a transfer.
///
/// Ownership: copies of a DeviceQueue are the same queue. A device lives as long as its queues.
/// Threads: used by one thread at a time, with the Device.
class DeviceQueue {
public:
    /// Calls kernel(item, arguments...) for each item from 0 to range.items. A kernel is a function or a lambda; on CUDA a lambda marked
    /// with
    /// __device__ or __host__ __device__. A copy among the arguments arrives as the address of its root on the device. The kernel and its
    /// arguments are copied.
    ///
    /// On the host, the kernel has ended when this call returns. Elsewhere the call returns at once.
    /// Errors: failures of the kernel arrive from Device::wait(), and from fetch(), update() and copy(): AssertionFailure of an xassert in
    /// the kernel, and DeviceError (KernelFault). DeviceError (NoDevice) on devices that cannot run the kernel.
    template <class Kernel, class... Arguments, class Here = detail::LaunchesHere>
        requires(!detail::isBlockKernel<std::decay_t<Kernel>, sizeof...(Arguments)>)
    void launch(const KernelRange& range, Kernel&& kernel, const Arguments&... arguments) {
        using Function = std::decay_t<Kernel>;
        constexpr bool isCallable = std::is_invocable_v<Function&, std::size_t, const detail::KernelArgumentOf<Arguments>&...>;
        static_assert(
            isCallable,
            "ferry: launch() calls kernel(item, arguments...), where a copy among the arguments is the address of its root, and item "
            "a std::size_t");
        if constexpr (isCallable) {
            Function function(std::forward<Kernel>(kernel));
            launchItems(range, function, detail::kernelArgumentOf(arguments)...);
        }
    }

    /// Launches a kernel of CUDA: a function marked with __global__, from a source of nvcc.
    /// Errors: as above.
    template <class... Parameters, class... Arguments, class Here = detail::LaunchesHere>
        requires(sizeof...(Parameters) == sizeof...(Arguments))
    void launch(const KernelBlocks& blocks, void (*kernel)(Parameters...), const Arguments&... arguments) {
        std::tuple<Parameters...> values{static_cast<Parameters>(detail::kernelArgumentOf(arguments))...};
        std::apply(
            [&](auto&... value) {
                void* places[] = {static_cast<void*>(std::addressof(value))..., nullptr};
                queue_->runtime().launch(queue_->number(),
                                         {reinterpret_cast<const void*>(kernel), blocks.blocks, blocks.threads, places, detail::launchHere},
                                         {blocks.file, blocks.line});
            },
            values);
    }

    /// A place behind all that is in the queue now.
    DeviceEvent mark() { return DeviceEvent(queue_, queue_->runtime().mark(queue_->number())); }
    /// Later launches of this queue begin when the event is reached. Returns at once. Errors: UsageError for an event of another device.
    void putBehind(const DeviceEvent& event) {
        detail::requireOneDevice(&event.queue_->runtime() == &queue_->runtime());
        queue_->runtime().putBehind(queue_->number(), *event.event_);
    }
    /// Waits for all that is in the queue. Failures of kernels arrive from Device::wait(), fetch() and update().
    void wait() { mark().wait(); }

    /// The stream of CUDA behind the queue, for launches with <<<blocks, threads, 0, stream>>>. Null on other devices, and for the first
    /// queue.
    CUstream_st* stream() const noexcept { return queue_->runtime().stream(queue_->number()); }

private:
    friend class Device;
    friend class DeviceProgram;

    explicit DeviceQueue(std::shared_ptr<const detail::OwnedQueue> queue) noexcept : queue_(std::move(queue)) {}

    template <class Function, class... Values>
    void launchItems(const KernelRange& range, Function& function, const Values... values) {
        const detail::LaunchPlace place{range.file, range.line};
#ifdef __CUDACC__
        if constexpr (detail::isForCuda<Function>) {
            if (!detail::isForHost<Function> || !queue_->runtime().runsOnHost()) {
                std::size_t count = range.items;
                if (count == 0) return;
                const std::size_t threads = range.groupItems == 0 ? 256 : range.groupItems;
                void* places[] = {static_cast<void*>(&count), static_cast<void*>(std::addressof(function)),
                                  const_cast<void*>(static_cast<const void*>(std::addressof(values)))...};
                queue_->runtime().launch(queue_->number(),
                                         {reinterpret_cast<const void*>(&detail::runItemsOfBlocks<Function, Values...>),
                                          (count + threads - 1) / threads, threads, places, detail::launchHere},
                                         place);
                return;
            }
        }
#endif
        if constexpr (detail::isForHost<Function>) {
            auto call = [&](std::size_t item) { function(item, values...); };
            const detail::HostKernel items{&call, [](void* each, std::size_t begin, std::size_t end, std::size_t& item) {
                                               for (item = begin; item < end; ++item) (*static_cast<decltype(call)*>(each))(item);
                                           }};
            queue_->runtime().launch(queue_->number(), range.items, items, place);
        }
    }

    std::shared_ptr<const detail::OwnedQueue> queue_;
};

}    // namespace ferry
