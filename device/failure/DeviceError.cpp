#include <ferry/device/failure/DeviceError.hpp>

#include <fmt/format.h>

#include <ferry/serialization/Codec.hpp>

FERRY_EXCEPTION_DEFINED(ferry::DeviceError)

namespace ferry {

DeviceError::DeviceError(DeviceProblem problem, std::string_view device, std::string_view text, bool costsDevice)
    : Exception(fmt::format("device {}: {}", device, text)),
      problem_(problem),
      device_(device),
      costsDevice_(costsDevice) {}

ErrorKind DeviceError::kind() const noexcept {
    switch (problem_) {
        case DeviceProblem::KernelFault:
        case DeviceProblem::StrayPointer:
        case DeviceProblem::NotCopied:
        case DeviceProblem::ChangedShape: return ErrorKind::Bug;
        default: return ErrorKind::Unsupported;
    }
}

void DeviceError::writeToInts(IntWriter& out) const { out << problem_ << device_; }

void DeviceError::readFromInts(IntReader& in) {
    in >> problem_;
    if (problem_ < DeviceProblem::NoDevice || problem_ > DeviceProblem::ChangedShape) {
        in.rewind(in.position() - 1);
        in.fail("a problem of a device (0 to 6)", fmt::format("{}", static_cast<std::int32_t>(problem_)));
    }
    in >> device_;
}

}    // namespace ferry
