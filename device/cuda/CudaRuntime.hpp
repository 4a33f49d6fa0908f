#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/device/failure/KernelRecord.hpp>
#include <ferry/device/runtime/ImageTransfers.hpp>
#include <ferry/device/runtime/LaunchLog.hpp>
#include <ferry/device/runtime/PagedTransfers.hpp>
#include <ferry/device/runtime/Runtime.hpp>
#include <ferry/device/runtime/TransferLane.hpp>

struct CUevent_st;    // an event of CUDA

namespace ferry::detail {

/// The first CUDA device. Transfers go through the default stream, as kernels do that are launched with `<<<blocks, threads>>>`. Other
/// queues are streams that wait for the default stream, and it for them.
///
/// Failures of assertions are recorded in one memory of the process, which the kernels of all sources know. So two ranks in one process
/// that share a device may get each other's.
/// Errors: DeviceError. NoDevice: no driver or no device is there. KernelFault: a kernel that ran before a wait failed, and the text names
///         its launch. DeviceLost: CUDA gives the device up for the process after most faults, and every later call names the first cause.
class CudaRuntime final : public Runtime, private TransferLane {
public:
    CudaRuntime();
    ~CudaRuntime() override;

    std::string name() const override { return name_; }
    void release(DeviceBlock block) noexcept override;
    void releaseStaging(std::byte* memory, std::size_t bytes) noexcept override;
    /// Errors: AssertionFailure of the lowest block and thread among the kept failures.
    void wait() override;
    void waitForStaging() override;
    std::byte* addressOutsideOfKernels(std::byte* device, std::size_t) override { return device; }
    ImageTransfers* imageTransfers() noexcept override { return &images_; }
    void seeFailures() override;
    QueueNumber makeQueue() override;
    void releaseQueue(QueueNumber number) noexcept override;
    std::unique_ptr<RuntimeEvent> mark(QueueNumber number) override;
    void putBehind(QueueNumber number, RuntimeEvent& event) override;
    CUstream_st* stream(QueueNumber number) const noexcept override { return streams_[static_cast<std::size_t>(number)]; }

private:
    DeviceBlock doReserve(std::size_t bytes) override;
    std::byte* doReserveStaging(std::size_t bytes) override;
    void doCopyTo(std::byte* device, const void* host, std::size_t bytes) override;
    void doCopyFrom(void* host, const std::byte* device, std::size_t bytes) override;
    void doCopyWithin(std::byte* to, const std::byte* from, std::size_t bytes) override;
    void doWaitAndCopyFrom(std::byte* staging, const std::byte* device, std::size_t bytes) override;
    void doCopyManyTo(std::span<const DevicePiece> pieces) override;
    void doCopyManyFrom(std::span<const DevicePiece> pieces) override;
    void doLaunch(QueueNumber queue, const CompiledKernel& kernel, const LaunchPlace& launch) override;

    std::byte* makeBuffer(std::size_t bytes) noexcept override;
    void freeBuffer(std::byte* buffer) noexcept override;
    bool isPaged(const void* host) noexcept override;
    int beginCopyTo(std::byte* device, const void* host, std::size_t bytes) noexcept override;
    int beginCopyFrom(void* host, const std::byte* device, std::size_t bytes) noexcept override;
    int setFence(std::size_t number) noexcept override;
    int waitForFence(std::size_t number) noexcept override;
    int waitForAll() noexcept override;
    void require(int code, std::string_view action) override { check(code, action); }

    /// Throws unless the code means success. Errors: DeviceError; DeviceLost after an error that costs the device.
    void check(int code, std::string_view action);
    /// The text for the first launch that has not ended, or the action when there is none.
    std::string launchOr(std::string_view action) const;
    /// Tells kernels of sources that were loaded since the last call where failures are recorded.
    void prepareSources();
    /// Waits for all queues. Errors: DeviceError.
    void finish();
    [[noreturn]] void throwFailures();

    std::string name_ = "CUDA";
    std::string loss_;                              // why the device is lost; empty while it works
    std::vector<CUstream_st*> streams_{nullptr};    // by number; null for the first, and for one that was released
    SiteFailures* failures_ = nullptr;              // on the device
    volatile SiteRecords* records_ = nullptr;       // on the host
    std::uint32_t* marks_ = nullptr;                // of the launches
    bool isIdle_ = true;                            // nothing was put into a queue since the last wait
    std::array<CUevent_st*, Fences> fences_{};
    CopyThreads threads_;
    PagedTransfers paged_;
    ImageTransfers images_;
    std::unique_ptr<LaunchLog> log_;
};

}    // namespace ferry::detail
