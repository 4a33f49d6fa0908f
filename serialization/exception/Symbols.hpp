#pragma once

#include <span>
#include <vector>

#include <ferry/serialization/exception/StackFrame.hpp>

namespace ferry {

/// The functions that return addresses of this process lie in, innermost first; where one was inlined into another, both. At most
/// originLimits::frames. With libbacktrace (which comes with GCC) files, lines and functions without export are known too, as far as the
/// program was compiled with -g1 or more.
///
/// Threads: safe from any thread. The first call reads the debug information of the program; later ones remember what they have seen.
std::vector<StackFrame> symbolise(std::span<void* const> returnAddresses);

}    // namespace ferry
