#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <ferry/device/runtime/Runtime.hpp>

namespace ferry::detail {

/// The first CUDA device. Transfers go through the default stream, as kernels do that are launched with `<<<blocks, threads>>>`.
///
/// Errors: DeviceError. NoDevice: no driver or no device is there. KernelFault: a kernel that ran before a wait failed; after most faults
///         CUDA gives the device up for this process.
class CudaRuntime final : public Runtime {
public:
    CudaRuntime();

    std::string name() const override { return name_; }
    void release(DeviceBlock block) noexcept override;
    void releaseStaging(std::byte* memory, std::size_t bytes) noexcept override;
    void wait() override;

private:
    DeviceBlock doReserve(std::size_t bytes) override;
    std::byte* doReserveStaging(std::size_t bytes) override;
    void doCopyTo(std::byte* device, const void* host, std::size_t bytes) override;
    void doCopyFrom(void* host, const std::byte* device, std::size_t bytes) override;

    /// Throws unless the code means success.
    void check(int code, std::string_view action) const;

    std::string name_ = "CUDA";
};

}    // namespace ferry::detail
