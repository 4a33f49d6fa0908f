#pragma once

#include <cstddef>
#include <span>

namespace ferry::detail {

/// Stores the return addresses of the calling thread, innermost first, and returns their number, as ::backtrace() does. A frame that was
/// walked before takes nanoseconds, because the rules of its function are kept. Frames of signals, stacks that the thread did not begin
/// with, code made at run time and other processors than x86-64 are left to ::backtrace(). Reads only memory of the thread's stack.
///
/// Threads: safe from any thread.
std::size_t walkStack(std::span<void*> addresses) noexcept;

/// Stores the return addresses if all frames are of the simple kind. Returns 0 otherwise.
std::size_t walkSimpleFrames(std::span<void*> addresses) noexcept;

}    // namespace ferry::detail
