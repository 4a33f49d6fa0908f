#include <ferry/device/Device.hpp>

#include <ferry/device/failure/DeviceError.hpp>
#include <ferry/device/runtime/HostRuntime.hpp>

// Defined by the library ferry_device_cuda. Null where the program does not link it.
extern "C" [[gnu::weak]] ferry::detail::Runtime* ferryMakeCudaRuntime();

namespace ferry {

Device Device::host(const HostDevice& options) {
    return Device(std::make_unique<detail::HostRuntime>(options.threads, options.memoryBytes));
}

Device Device::cuda() {
    if (ferryMakeCudaRuntime == nullptr) throw DeviceError(DeviceProblem::NoDevice, "CUDA", "the program does not link ferry::device_cuda");
    return Device(std::unique_ptr<detail::Runtime>(ferryMakeCudaRuntime()));
}

Device Device::any() {
    try {
        return cuda();
    } catch (const DeviceError& e) {
        if (e.problem() != DeviceProblem::NoDevice) throw;
        return host();
    }
}

}    // namespace ferry
