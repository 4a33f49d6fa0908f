#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <vector>

namespace ferry::pmpi {

/// A function that is running and that an exception, thrown by one that it has called, cannot leave, since std::terminate stops it there:
/// `noexcept`, as destructors are, or with an exception specification.
struct NoexceptFrame {
    std::uintptr_t function = 0;    ///< where it begins
    /// From the innermost call up to the one that this function is in.
    std::vector<void*> returnAddresses;

    /// The first such function between here and the handler that would take the exception. Nothing: none, or it cannot be found out. Of
    /// what clang++ has compiled, and of code that was inlined into a `noexcept` function, it can on x86-64 and aarch64 alone.
    static std::optional<NoexceptFrame> around(const std::exception& thrown);
};

}    // namespace ferry::pmpi
