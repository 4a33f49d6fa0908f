#pragma once

#include <cstddef>
#include <functional>

namespace bench {

/// Runs the function on a thread with a stack of so many bytes, and waits for it; for libraries that recurse once for each node. The stack
/// takes memory only where it is used. Errors: std::system_error without such a thread; what the function throws.
void runOnLargeStack(std::size_t stackBytes, const std::function<void()>& function);

}    // namespace bench
