#include <ferry/device/cuda/CudaRuntime.hpp>

#include <memory>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <ferry/device/failure/DeviceError.hpp>

extern "C" ferry::detail::Runtime* ferryMakeCudaRuntime();
extern "C" ferry::detail::Runtime* ferryMakeCudaRuntime() { return std::make_unique<ferry::detail::CudaRuntime>().release(); }

namespace ferry::detail {

namespace {

DeviceProblem problemOf(cudaError_t code) noexcept {
    switch (code) {
        case cudaErrorNoDevice:
        case cudaErrorInsufficientDriver:
        case cudaErrorInitializationError:
        case cudaErrorSystemNotReady:
        case cudaErrorStubLibrary: return DeviceProblem::NoDevice;
        case cudaErrorMemoryAllocation: return DeviceProblem::OutOfDeviceMemory;
        case cudaErrorIllegalAddress:
        case cudaErrorMisalignedAddress:
        case cudaErrorIllegalInstruction:
        case cudaErrorInvalidPc:
        case cudaErrorLaunchFailure:
        case cudaErrorLaunchTimeout:
        case cudaErrorAssert: return DeviceProblem::KernelFault;
        default: return DeviceProblem::DeviceLost;
    }
}

}    // namespace

CudaRuntime::CudaRuntime() {
    int count = 0;
    check(cudaGetDeviceCount(&count), "looking for devices");
    if (count == 0) throw DeviceError(DeviceProblem::NoDevice, name_, "this machine has no CUDA device");
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0), "asking for the properties of the device");
    check(cudaSetDevice(0), "choosing the device");
    name_ = fmt::format("CUDA ({})", properties.name);
}

void CudaRuntime::check(int code, std::string_view action) const {
    const auto error = static_cast<cudaError_t>(code);
    if (error == cudaSuccess) return;
    static_cast<void>(cudaGetLastError());    // errors that do not concern the whole device are forgotten
    throw DeviceError(problemOf(error), name_,
                      fmt::format("{} failed: {} ({})", action, cudaGetErrorString(error), cudaGetErrorName(error)));
}

DeviceBlock CudaRuntime::doReserve(std::size_t bytes) {
    void* memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, bytes);
    if (error == cudaErrorMemoryAllocation) {
        std::size_t free = 0;
        std::size_t total = 0;
        static_cast<void>(cudaGetLastError());
        static_cast<void>(cudaMemGetInfo(&free, &total));
        throw DeviceError(DeviceProblem::OutOfDeviceMemory, name_,
                          fmt::format("a copy needs {} bytes, and {} of {} are free", bytes, free, total));
    }
    check(error, "reserving memory");
    return {static_cast<std::byte*>(memory), bytes};
}

void CudaRuntime::release(DeviceBlock block) noexcept { static_cast<void>(cudaFree(block.address)); }

std::byte* CudaRuntime::doReserveStaging(std::size_t bytes) {
    void* memory = nullptr;
    check(cudaMallocHost(&memory, bytes), "reserving memory of the host");
    return static_cast<std::byte*>(memory);
}

void CudaRuntime::releaseStaging(std::byte* memory, std::size_t) noexcept { static_cast<void>(cudaFreeHost(memory)); }

// The staging memory is written again only after wait(), so that the host need not wait for a transfer to the device.
void CudaRuntime::doCopyTo(std::byte* device, const void* host, std::size_t bytes) {
    check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, nullptr), "a transfer to the device");
}

void CudaRuntime::doCopyFrom(void* host, const std::byte* device, std::size_t bytes) {
    check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, nullptr), "a transfer from the device");
    wait();
}

void CudaRuntime::wait() { check(cudaStreamSynchronize(nullptr), "waiting for the device"); }

}    // namespace ferry::detail
