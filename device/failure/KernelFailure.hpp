#pragma once

#include <cstddef>
#include <exception>
#include <source_location>
#include <string_view>

namespace ferry::detail {

/// Throws the exception of a kernel on the thread that launched the kernel.
///
/// An AssertionFailure keeps its class, values, file and line. Its context gets the device, the launch and the work item. Any other
/// exception becomes the cause of a DeviceError (KernelFault).
[[noreturn]] void throwKernelFailure(std::exception_ptr failure, std::string_view device, const std::source_location& launch,
                                     std::size_t item);

}    // namespace ferry::detail
