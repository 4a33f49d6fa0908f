#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/device/program/KernelText.hpp>
#include <ferry/device/runtime/Runtime.hpp>

// CL/cl.h stays out of the library's headers.
struct _cl_command_queue;
struct _cl_context;
struct _cl_device_id;
struct _cl_event;
struct _cl_mem;

namespace ferry::detail {

/// A launch that nobody has waited for.
struct OpenClLaunch {
    std::shared_ptr<const KernelText> text;
    std::string kernel;
    LaunchPlace place;    ///< without the kernel
    _cl_event* event = nullptr;
};

/// The first OpenCL device with shared virtual memory. Transfers go through the first queue. Each queue works in order.
///
/// The memory is coarse-grained: only the device uses it, and transfers copy. A copy on the device is one block, so a kernel that gets a
/// pointer into it may follow all pointers there.
/// Errors: DeviceError. NoDevice: no platform, or no device with shared virtual memory and 64 bits. KernelFault: a launch failed; the text
///         names it.
class OpenClRuntime final : public Runtime {
public:
    OpenClRuntime();
    ~OpenClRuntime() override;

    std::string name() const override { return name_; }
    void release(DeviceBlock block) noexcept override;
    void releaseStaging(std::byte* memory, std::size_t bytes) noexcept override;
    /// Errors: AssertionFailure of the first launch that failed, in the lowest work item among the first 64 failures.
    void wait() override;
    QueueNumber makeQueue() override;
    void releaseQueue(QueueNumber number) noexcept override;
    std::unique_ptr<RuntimeEvent> mark(QueueNumber number) override;
    void putBehind(QueueNumber number, RuntimeEvent& event) override;

    // For programs:
    _cl_context* context() const noexcept { return context_; }
    _cl_device_id* device() const noexcept { return device_; }
    _cl_command_queue* queue(QueueNumber number = QueueNumber::First) const noexcept { return queues_[static_cast<std::size_t>(number)]; }
    /// The memory in which kernels record their failures (KernelRecords).
    _cl_mem* records() const noexcept { return records_; }
    /// Whether the address lies in memory of the device.
    bool holds(const void* address) const noexcept;
    /// The number that the next launch has in its failures.
    std::uint32_t nextLaunch() const noexcept { return static_cast<std::uint32_t>(launches_.size()); }
    /// Room for the next launch, so that note() does not fail.
    void prepareLaunch() { launches_.reserve(launches_.size() + 1); }
    void note(OpenClLaunch launch) noexcept { launches_.push_back(std::move(launch)); }

private:
    void choose();
    DeviceBlock doReserve(std::size_t bytes) override;
    std::byte* doReserveStaging(std::size_t bytes) override;
    void doCopyTo(std::byte* device, const void* host, std::size_t bytes) override;
    void doCopyFrom(void* host, const std::byte* device, std::size_t bytes) override;
    void doCopyWithin(std::byte* to, const std::byte* from, std::size_t bytes) override;
    void doCopyManyTo(std::span<const DevicePiece> pieces) override;
    void doCopyManyFrom(std::span<const DevicePiece> pieces) override;
    std::unique_ptr<RuntimeProgram> doBuild(KernelText text) override;
    void check(std::int32_t result, std::string_view action) const;
    void copy(void* to, const void* from, std::size_t bytes, bool isLast);
    /// Opens the memory around all pieces to the host: one command for all of them, where device and host have one memory.
    DevicePiece map(std::span<const DevicePiece> pieces, std::uint64_t flags);
    void unmap(const DevicePiece& whole);
    _cl_command_queue* openQueue() const;
    /// Waits for all queues.
    void finish() const;
    void close() noexcept;
    static void forget(std::vector<OpenClLaunch>& launches) noexcept;
    [[noreturn]] void throwFailure(const std::vector<OpenClLaunch>& launches);

    std::string name_ = "OpenCL";
    _cl_device_id* device_ = nullptr;
    _cl_context* context_ = nullptr;
    std::vector<_cl_command_queue*> queues_{nullptr};    // by number; null for one that was released
    _cl_mem* records_ = nullptr;
    std::uint32_t failures_ = 0;    // read from the device by wait()
    std::size_t mostBytes_ = 0;     // of one block
    bool isProcessor_ = false;      // the memory of the device is the host's
    std::map<const std::byte*, std::size_t> blocks_;
    std::vector<OpenClLaunch> launches_;    // since the last wait()
};

}    // namespace ferry::detail
