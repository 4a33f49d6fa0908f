#pragma once

#include <cstddef>
#include <functional>

namespace bench {

/// Runs the function on a thread with a stack of stackBytes bytes, and waits for it. Used for libraries that recurse once for each node.
/// The stack takes memory only where it is used.
/// Errors: std::system_error when the thread cannot be made. Exceptions of the function.
void runOnLargeStack(std::size_t stackBytes, const std::function<void()>& function);

}    // namespace bench
