#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <ferry/device/DeviceCopy.hpp>
#include <ferry/device/DevicePool.hpp>
#include <ferry/device/DeviceProgram.hpp>
#include <ferry/device/DeviceQueue.hpp>
#include <ferry/device/program/KernelDeclarations.hpp>
#include <ferry/device/runtime/Runtime.hpp>
#include <ferry/serialization/codec/View.hpp>

namespace ferry {

/// The host as a device: how many threads run kernels, and how much memory copies may take.
struct HostDevice {
    std::size_t threads = 0;        ///< 0: one for each processor
    std::size_t memoryBytes = 0;    ///< 0: as much as the machine has
};

/// A device that runs kernels on copies of the host's objects.
///
/// A copy is one transfer. The objects have the same types on the device, and ordinary pointers that lead to each other. What a View leaves
/// out is zero there, and a pointer that it leaves out is null.
///
/// Ownership: copies of a Device are the same device. A device lives as long as a copy of an object on it.
/// Threads: one thread at a time uses a device and its copies.
/// Errors: DeviceError.
class Device {
public:
    Device(const Device&) = default;    // a move is a copy, so that no device is without its memory
    Device& operator=(const Device&) = default;

    /// The host. Its kernels are functions of C++, which any debugger and sanitizer sees. Pointers of the wrong side end the program where
    /// they are used: outside of kernels the memory of the device is forbidden.
    static Device host(const HostDevice& options = {});
    /// The first CUDA device. The program links ferry::device_cuda. Errors: DeviceError (NoDevice).
    static Device cuda();
    /// The first OpenCL device with shared virtual memory, graphics processors before processors. The program links ferry::device_opencl.
    /// Errors: DeviceError (NoDevice).
    static Device openCl();
    /// The best device there is: CUDA where the program links ferry::device_cuda and a driver is there, then OpenCL in the same way, else
    /// the host. Kernels of run() need the host.
    static Device any();

    /// For example "host".
    std::string name() const { return pool_->runtime().name(); }

    /// Copies the object and everything that its pointers lead to, each object once. Cycles are welcome.
    /// Errors: DeviceError (OutOfDeviceMemory). UsageError for arrays that overlap in part, and for a negative count.
    template <class T>
    DeviceCopy<T> copy(T& object) {
        return DeviceCopy<T>(pool_, object);
    }
    /// Copies the part of the object that the View shows.
    template <class ViewOfObject, class T>
    DeviceCopy<T, ViewOfObject> copy(detail::Part<ViewOfObject, T> part) {
        return DeviceCopy<T, ViewOfObject>(pool_, part.object);
    }
    template <class T>
    void copy(const T&& temporary) = delete;

    /// Copies one array and nothing around it. Errors: those of copy(). UsageError for elements at a null pointer.
    template <class T>
    DeviceArray<T> copyArray(T* first, std::size_t count) {
        return DeviceArray<T>(pool_, first, count);
    }

    /// Calls kernel(i) for each i from 0 to count, on the threads of the host device; on CUDA, a lambda marked with __device__ or __host__
    /// __device__ in a source of nvcc. Returns when all calls have ended. File and line are the place of the launch.
    ///
    /// Errors: AssertionFailure of an xassert in the kernel, with device, launch and work item in its context. DeviceError (KernelFault)
    /// for any other exception, which is the cause. Of several failures, the failure of the lowest item is thrown; items behind it may not
    /// have run. The device stays usable. DeviceError (NoDevice) on devices that cannot call functions of the host.
    template <class Kernel>
    void run(std::size_t count, Kernel&& kernel, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        using Function = std::remove_reference_t<Kernel>;
        if constexpr (detail::isForCuda<Function>) {
            if (!detail::isForHost<Function> || !pool_->runtime().runsOnHost()) {
                launch(KernelRange(count, 0, file, line), kernel);
                return wait();
            }
        }
        if constexpr (!detail::isForHost<Function>) return;
        const detail::HostKernel items{const_cast<void*>(static_cast<const void*>(std::addressof(kernel))),
                                       [](void* function, std::size_t begin, std::size_t end, std::size_t& item) {
                                           Function& call = *static_cast<Function*>(function);
                                           for (item = begin; item < end; ++item) call(std::size_t{item});
                                       }};
        pool_->runtime().run(count, items, {file, line});
    }
    /// Launches a kernel in the first queue: DeviceQueue::launch. launch({count}, kernel, arguments...) calls kernel(item, arguments...)
    /// for each item, and launch({blocks, threads}, kernel, arguments...) runs a kernel of CUDA. The kernels of a program have a launch of
    /// their own (DeviceProgram::launch).
    template <class Kernel, class... Arguments, class Here = detail::LaunchesHere>
        requires(!detail::isBlockKernel<std::decay_t<Kernel>, sizeof...(Arguments)>)
    void launch(const KernelRange& range, Kernel&& kernel, const Arguments&... arguments) {
        first_.launch(range, std::forward<Kernel>(kernel), arguments...);
    }
    template <class... Parameters, class... Arguments, class Here = detail::LaunchesHere>
        requires(sizeof...(Parameters) == sizeof...(Arguments))
    void launch(const KernelBlocks& blocks, void (*kernel)(Parameters...), const Arguments&... arguments) {
        first_.launch(blocks, kernel, arguments...);
    }
    /// Another queue, whose launches may run at the same time as those of the first queue.
    DeviceQueue queue() { return DeviceQueue(std::make_shared<const detail::OwnedQueue>(pool_)); }
    /// As DeviceQueue::mark(), putBehind() and stream(), for the first queue.
    DeviceEvent mark() { return first_.mark(); }
    void putBehind(const DeviceEvent& event) { first_.putBehind(event); }
    CUstream_st* stream() const noexcept { return first_.stream(); }

    /// Compiles kernels in OpenCL C. The text knows the types T and all that their members lead to: structs have the names of their classes
    /// without namespaces, and members the names in FERRY_FIELDS. docs/guide.md says how standard types look there. The device is asked
    /// whether sizes and places are those of the host.
    ///
    /// Errors: UsageError for a text that does not compile, and for a struct that lies otherwise on the device. DeviceError (NoDevice) for
    /// devices that are not of OpenCL.
    template <class... T>
    DeviceProgram program(std::string_view kernels, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        return DeviceProgram(pool_, detail::makeKernelText(detail::kernelTypesOf<T...>(), kernels, file, line));
    }

    /// Waits for all transfers and kernels, in all queues. Errors: those of the kernels.
    void wait() { pool_->runtime().wait(); }

    const DeviceTransfers& transfers() const noexcept { return pool_->runtime().transfers(); }
    /// Gives back the memory that no copy uses. Otherwise it is kept for further copies.
    void trim() noexcept { pool_->trim(); }

private:
    friend struct detail::DeviceImages;

    explicit Device(std::unique_ptr<detail::Runtime> runtime)
        : pool_(std::make_shared<detail::DevicePool>(std::move(runtime))),
          first_(std::make_shared<const detail::OwnedQueue>(pool_, detail::QueueNumber::First)) {}

    std::shared_ptr<detail::DevicePool> pool_;
    DeviceQueue first_;
};

}    // namespace ferry
