#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// The problem of a device or of a copy on it.
enum class DeviceProblem : std::int32_t {
    NoDevice,             ///< this machine has no such device, or no driver for it
    OutOfDeviceMemory,    ///< the device has less free memory than a copy needs
    KernelFault,          ///< a kernel threw another exception than AssertionFailure; cause() is this exception
    DeviceLost,           ///< the device gives no results any more
    StrayPointer,         ///< a kernel left a pointer that leads to no copied object
    NotCopied,            ///< an address was asked for that is no part of the copy
    ChangedShape,         ///< a vector, text, optional or variant has another shape on the other side
};

/// A device cannot do what was asked. The text names the device and the problem. Travels like any exception.
class DeviceError : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::DeviceError)

    DeviceError() = default;
    /// costsDevice: the device is lost for this process.
    DeviceError(DeviceProblem problem, std::string_view device, std::string_view text, bool costsDevice = false);

    ErrorKind kind() const noexcept override;
    /// True when the device is lost for the process that threw. Does not travel: false elsewhere.
    bool costsProcess() const noexcept override { return costsDevice_; }
    void writeToInts(IntWriter& out) const override;
    void readFromInts(IntReader& in) override;

    DeviceProblem problem() const noexcept { return problem_; }
    /// The name of the device, for example "host".
    const std::string& device() const noexcept { return device_; }

private:
    DeviceProblem problem_ = DeviceProblem::NoDevice;
    std::string device_;
    bool costsDevice_ = false;
};

}    // namespace ferry
