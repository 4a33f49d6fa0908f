#pragma once

#include <span>
#include <vector>

#include <ferry/serialization/exception/stack/StackFrame.hpp>

namespace ferry::detail {

/// The functions that contain these return addresses of this process, innermost first. An inlined function and its surrounding function are
/// two frames. At most originLimits::frames. Files, lines and functions without export are known for code compiled with -g1 or more. Reads
/// only the units of debug information that contain the addresses. Compressed and split information needs libbacktrace (part of GCC).
///
/// Threads: safe from any thread. Results are kept until a library is unloaded.
std::vector<StackFrame> symbolise(std::span<void* const> returnAddresses);

}    // namespace ferry::detail
