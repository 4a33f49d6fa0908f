#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ferry/device/failure/KernelFailure.hpp>
#include <ferry/device/program/KernelText.hpp>
#include <ferry/device/runtime/KernelRange.hpp>

struct CUstream_st;    // a stream of CUDA

namespace ferry {

/// Counts of the transfers and allocations of a device since it was made.
struct DeviceTransfers {
    std::size_t toDevice = 0;    ///< transfers to the device; a batch counts as one
    std::size_t toDeviceBytes = 0;
    std::size_t fromDevice = 0;    ///< transfers from the device; a batch counts as one
    std::size_t fromDeviceBytes = 0;
    std::size_t batches = 0;        ///< transfers of several arrays at once, in either direction
    std::size_t stagedBytes = 0;    ///< bytes that were gathered in staging memory before they went to the device
    std::size_t allocations = 0;    ///< requests for device memory or staging memory
    std::size_t launches = 0;

    friend bool operator==(const DeviceTransfers&, const DeviceTransfers&) = default;
};

namespace detail {

/// Memory on a device. Its address is meaningful in kernels only.
struct DeviceBlock {
    std::byte* address = nullptr;
    std::size_t bytes = 0;
};

/// One of several arrays that travel together.
struct DevicePiece {
    std::byte* device = nullptr;
    void* host = nullptr;
    std::size_t bytes = 0;
};

/// The items of a kernel, as one function on a range of them.
struct HostKernel {
    void* function = nullptr;
    /// Runs the items from begin to end. item tells at each time which item runs.
    void (*run)(void* function, std::size_t begin, std::size_t end, std::size_t& item) = nullptr;
};

/// One argument of a kernel: a value, or an address on the device.
struct KernelArgument {
    const void* value = nullptr;    ///< of the pointer, for an address
    std::size_t bytes = 0;
    bool isAddress = false;
};

/// A launch of a kernel that nvcc has compiled.
struct CompiledKernel {
    const void* function = nullptr;
    std::size_t blocks = 0;
    std::size_t threads = 0;
    void** arguments = nullptr;
    /// Puts the launch into the stream, by the CUDA library of the source with the launch. Null in a source of another compiler.
    int (*launch)(const CompiledKernel& kernel, CUstream_st* stream) = nullptr;
};

/// A place in a queue. Reached when all is done that was put into the queue before it.
class RuntimeEvent {
public:
    RuntimeEvent() = default;
    RuntimeEvent(const RuntimeEvent&) = delete;
    RuntimeEvent& operator=(const RuntimeEvent&) = delete;
    virtual ~RuntimeEvent() = default;

    virtual bool isReached() = 0;
    virtual void wait() = 0;
};

/// The number of a queue of a device. The first queue exists always; transfers go through it.
enum class QueueNumber : std::size_t { First = 0 };

/// Kernels that a device has compiled.
class RuntimeProgram {
public:
    RuntimeProgram() = default;
    RuntimeProgram(const RuntimeProgram&) = delete;
    RuntimeProgram& operator=(const RuntimeProgram&) = delete;
    virtual ~RuntimeProgram() = default;

    /// Puts a launch behind the launches and transfers before it. Its failures arrive from Runtime::wait().
    /// Errors: UsageError for a kernel that is not there, and for arguments that do not fit it.
    virtual void launch(QueueNumber queue, std::string_view kernel, const KernelRange& range,
                        std::span<const KernelArgument> arguments) = 0;
};

class ImageTransfers;

/// The objects of the host of which a device has copies.
class CopiedObjects {
public:
    virtual ~CopiedObjects() = default;
    /// Lets the address sanitizer report each use of the objects, or no longer. Does nothing without the sanitizer.
    virtual void setForbidden(bool isForbidden) noexcept = 0;
};

/// The queues of a device. By default there is the first one alone, on which nothing is ever under way.
class RuntimeQueues {
public:
    RuntimeQueues() = default;
    RuntimeQueues(const RuntimeQueues&) = delete;
    RuntimeQueues& operator=(const RuntimeQueues&) = delete;
    virtual ~RuntimeQueues() = default;

    /// Another queue, until it is released. Launches of several queues may run at the same time.
    virtual QueueNumber makeQueue() { return QueueNumber::First; }
    virtual void releaseQueue(QueueNumber) noexcept {}
    /// An event behind all that is in the queue now.
    virtual std::unique_ptr<RuntimeEvent> mark(QueueNumber queue);
    /// Puts later launches of the queue behind the event, which is one of this device.
    virtual void putBehind(QueueNumber, RuntimeEvent&) {}
    /// Null: the first one, or none.
    virtual CUstream_st* stream(QueueNumber) const noexcept { return nullptr; }
};

/// One device: memory, transfers and launches.
///
/// Threads: used by one thread at a time.
/// Errors: DeviceError (OutOfDeviceMemory, KernelFault, DeviceLost).
class Runtime : public RuntimeQueues {
public:
    virtual std::string name() const = 0;
    /// Whether kernels run on the host, so that the address sanitizer sees them.
    virtual bool runsOnHost() const noexcept { return false; }

    DeviceBlock reserve(std::size_t bytes);
    virtual void release(DeviceBlock block) noexcept = 0;
    /// Whether a copy is in the memory at present. Kernels need no other memory.
    virtual void setInUse(const DeviceBlock&, bool) noexcept {}
    /// Memory of the host from which transfers are fast. Its alignment is that of operator new at least.
    std::byte* reserveStaging(std::size_t bytes);
    virtual void releaseStaging(std::byte* memory, std::size_t bytes) noexcept = 0;

    /// Waits until staging memory may be written again. Errors: those of the kernels.
    virtual void waitForStaging() { wait(); }
    /// For large images. Null on a device where one thread is as fast.
    virtual ImageTransfers* imageTransfers() noexcept { return nullptr; }
    /// A transfer behind all launches has arrived. Errors: those of the kernels.
    virtual void seeFailures() {}

    void copyTo(std::byte* device, const void* host, std::size_t bytes);
    /// As wait() and copyFrom(), to staging memory.
    void waitAndCopyFrom(std::byte* staging, const std::byte* device, std::size_t bytes);
    void copyFrom(void* host, const std::byte* device, std::size_t bytes);
    /// Copies memory of the device, and waits until it is done.
    void copyWithin(std::byte* to, const std::byte* from, std::size_t bytes);
    /// The address of this memory of the device for the calls of other libraries, for example of MPI. Null where they cannot use it.
    virtual std::byte* addressOutsideOfKernels(std::byte* /*device*/, std::size_t /*bytes*/) { return nullptr; }
    /// One batch. An empty one is no transfer.
    void copyManyTo(std::span<const DevicePiece> pieces);
    void copyManyFrom(std::span<const DevicePiece> pieces);

    /// Runs the kernel on every item from 0 to count, and returns when all have ended.
    void run(std::size_t count, const HostKernel& kernel, const LaunchPlace& launch);
    /// Puts the kernel behind the launches before it. Its failures arrive from wait().
    void launch(QueueNumber queue, std::size_t count, const HostKernel& kernel, const LaunchPlace& launch);
    void launch(QueueNumber queue, const CompiledKernel& kernel, const LaunchPlace& launch);
    /// Compiles kernels. Errors: UsageError for a text that does not compile. DeviceError (NoDevice) where texts cannot be kernels.
    std::unique_ptr<RuntimeProgram> build(KernelText text) { return doBuild(std::move(text)); }
    /// Waits for the transfers and launches of all queues. Errors: those of the kernels.
    virtual void wait() {}

    /// Kernels that run on the host must not use these objects.
    void add(CopiedObjects& objects) { copied_.push_back(&objects); }
    void remove(CopiedObjects& objects) noexcept { std::erase(copied_, &objects); }

    /// For parts of a device that count themselves.
    DeviceTransfers& counts() noexcept { return transfers_; }
    const DeviceTransfers& transfers() const noexcept { return transfers_; }

protected:
    std::span<CopiedObjects* const> copied() const noexcept { return copied_; }

private:
    virtual DeviceBlock doReserve(std::size_t bytes) = 0;
    virtual std::byte* doReserveStaging(std::size_t bytes) = 0;
    virtual void doCopyTo(std::byte* device, const void* host, std::size_t bytes) = 0;
    virtual void doCopyFrom(void* host, const std::byte* device, std::size_t bytes) = 0;
    virtual void doCopyWithin(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
    virtual void doWaitAndCopyFrom(std::byte* staging, const std::byte* device, std::size_t bytes);
    virtual void doCopyManyTo(std::span<const DevicePiece> pieces);
    virtual void doCopyManyFrom(std::span<const DevicePiece> pieces);
    /// Errors: DeviceError (NoDevice) where host functions cannot be kernels.
    virtual void doRun(std::size_t count, const HostKernel& kernel, const LaunchPlace& launch);
    virtual void doLaunch(std::size_t count, const HostKernel& kernel, const LaunchPlace& launch);
    /// Errors: DeviceError (NoDevice) where the device is none of CUDA.
    virtual void doLaunch(QueueNumber queue, const CompiledKernel& kernel, const LaunchPlace& launch);
    virtual std::unique_ptr<RuntimeProgram> doBuild(KernelText text);

    DeviceTransfers transfers_;
    std::vector<CopiedObjects*> copied_;
};

}    // namespace detail

}    // namespace ferry
