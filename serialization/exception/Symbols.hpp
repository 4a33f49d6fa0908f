#pragma once

#include <span>
#include <vector>

#include <ferry/serialization/exception/StackFrame.hpp>

namespace ferry::detail {

/// The functions that contain these return addresses of this process, innermost first. An inlined function and its surrounding function are
/// two frames. At most originLimits::frames. With libbacktrace (part of GCC), files, lines and functions without export are known too, for
/// code compiled with -g1 or more.
///
/// Threads: safe from any thread. The first call reads the debug information of the program. Later calls use cached results.
std::vector<StackFrame> symbolise(std::span<void* const> returnAddresses);

}    // namespace ferry::detail
