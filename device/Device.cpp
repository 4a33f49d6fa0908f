#include <ferry/device/Device.hpp>

#include <ferry/device/failure/DeviceError.hpp>
#include <ferry/device/runtime/HostRuntime.hpp>

// Defined by the libraries ferry_device_cuda and ferry_device_opencl. Null where the program does not link them.
extern "C" [[gnu::weak]] ferry::detail::Runtime* ferryMakeCudaRuntime();
extern "C" [[gnu::weak]] ferry::detail::Runtime* ferryMakeOpenClRuntime();

namespace ferry {

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
