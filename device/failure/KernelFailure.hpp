#pragma once

#include <cstddef>
#include <exception>
#include <string_view>

namespace ferry::detail {

/// The place in a program at which a kernel was launched. clang 14 has no std::source_location.
struct LaunchPlace {
    const char* file = "";    ///< empty where the launch is not known
    int line = 0;
    std::string_view kernel = {};    ///< empty for a function of the host
};

/// Throws the exception of a kernel on the thread that launched the kernel.
///
/// An AssertionFailure keeps its class, values, file and line. Its context gets the device, the kernel, the launch and the work item, and
/// block and thread where there are any. Any other exception becomes the cause of a DeviceError (KernelFault).
[[noreturn]] void throwKernelFailure(std::exception_ptr failure, std::string_view device, const LaunchPlace& launch, std::size_t item,
                                     std::string_view block = {}, std::string_view thread = {});

}    // namespace ferry::detail
