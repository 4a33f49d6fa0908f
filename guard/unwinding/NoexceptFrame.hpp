#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <vector>

namespace ferry::pmpi {

/// A running function that an exception of one of its callees cannot leave, since std::terminate stops the exception there. Such a function
/// is `noexcept`, as destructors are, or has an exception specification.
struct NoexceptFrame {
    std::uintptr_t function = 0;    ///< address at which the function begins
    /// Return addresses from the innermost call up to the one that is in this function.
    std::vector<void*> returnAddresses;

    /// The first such function between here and the handler that would take the exception. Empty: there is none, or it cannot be found. For
    /// code of clang++, and for code that was inlined into a `noexcept` function, it can be found on x86-64 and aarch64 only.
    static std::optional<NoexceptFrame> around(const std::exception& thrown);
};

}    // namespace ferry::pmpi
