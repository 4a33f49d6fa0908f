#include <ferry/device/Device.hpp>

#include <limits>

#include <fmt/format.h>

#include <ferry/device/failure/DeviceError.hpp>
#include <ferry/device/runtime/HostRuntime.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

// Defined by the libraries ferry_device_cuda and ferry_device_opencl. Null where the program does not link them.
extern "C" [[gnu::weak]] ferry::detail::Runtime* ferryMakeCudaRuntime();
extern "C" [[gnu::weak]] ferry::detail::Runtime* ferryMakeOpenClRuntime();

namespace ferry {

void detail::requireArray(const void* first, std::size_t count, std::size_t elementBytes) {
    if (count != 0 && first == nullptr) throw UsageError(fmt::format("copyArray() of {} elements at a null pointer", count));
    if (count > std::numeric_limits<std::ptrdiff_t>::max() / elementBytes)
        throw UsageError(fmt::format("copyArray() of {} elements of {} bytes: no memory has as many", count, elementBytes));
}

Device Device::host(const HostDevice& options) {
    return Device(std::make_unique<detail::HostRuntime>(options.threads, options.memoryBytes));
}

Device Device::cuda() {
    if (ferryMakeCudaRuntime == nullptr) throw DeviceError(DeviceProblem::NoDevice, "CUDA", "the program does not link ferry::device_cuda");
    return Device(std::unique_ptr<detail::Runtime>(ferryMakeCudaRuntime()));
}

Device Device::openCl() {
    if (ferryMakeOpenClRuntime == nullptr) {
        throw DeviceError(DeviceProblem::NoDevice, "OpenCL",
                          "the program does not link ferry::device_opencl, which is built where CMake finds OpenCL");
    }
    return Device(std::unique_ptr<detail::Runtime>(ferryMakeOpenClRuntime()));
}

Device Device::any() {
    for (Device (*make)() : {&Device::cuda, &Device::openCl}) {
        try {
            return make();
        } catch (const DeviceError& e) {
            if (e.problem() != DeviceProblem::NoDevice) throw;
        }
    }
    return host();
}

}    // namespace ferry
