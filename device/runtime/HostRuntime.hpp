#pragma once

#include <atomic>
#include <cstddef>
#include <string>

#include <ferry/device/runtime/KernelThreads.hpp>
#include <ferry/device/runtime/MappedMemory.hpp>
#include <ferry/device/runtime/Runtime.hpp>

namespace ferry::detail {

/// The host as a device. Its memory is forbidden to the host outside of kernels, and copied objects are forbidden to kernels under the
/// address sanitizer. So a pointer of the wrong side ends the program where it is used.
class HostRuntime final : public Runtime {
public:
    HostRuntime(std::size_t threads, std::size_t memoryBytes);

    std::string name() const override { return "host"; }
    bool runsOnHost() const noexcept override { return true; }
    void release(DeviceBlock block) noexcept override;
    void setInUse(const DeviceBlock& block, bool isInUse) noexcept override { memory_.setInUse(block, isInUse); }
    void releaseStaging(std::byte* memory, std::size_t bytes) noexcept override;
    std::byte* addressOutsideOfKernels(std::byte* device, std::size_t bytes) override { return memory_.forTransfer(device, bytes); }
    /// A launch has ended when it returns, so that nothing is left to wait for but the failure of the first launch that failed.
    void wait() override;

private:
    DeviceBlock doReserve(std::size_t bytes) override;
    std::byte* doReserveStaging(std::size_t bytes) override;
    void doCopyTo(std::byte* device, const void* host, std::size_t bytes) override;
    void doCopyFrom(void* host, const std::byte* device, std::size_t bytes) override;
    void doCopyWithin(std::byte* to, const std::byte* from, std::size_t bytes) override;
    void doRun(std::size_t count, const HostKernel& kernel, const LaunchPlace& launch) override;
    void doLaunch(std::size_t count, const HostKernel& kernel, const LaunchPlace& launch) override;
    KernelThreads::Failure runAllowed(std::size_t count, const HostKernel& kernel);

    MappedMemory memory_;
    KernelThreads threads_;
    std::atomic<bool> isRunning_{false};    // a kernel
    KernelThreads::Failure failure_;        // of a launch that nobody has waited for
    LaunchPlace failedLaunch_;
};

}    // namespace ferry::detail
