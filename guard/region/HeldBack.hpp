#pragma once

#include <chrono>
#include <cstddef>
#include <exception>

namespace ferry::pmpi {

/// Exceptions that calls of MPI in a region do not throw, since they could not leave a function around the call: a destructor, or another
/// `noexcept` function. Such a call returns with nothing done, and the next call outside that function throws.
///
/// A program whose loop depends on received data would never leave such a function. So after a hundred calls and the patience, the
/// exception is thrown nevertheless; std::terminate then ends the process.
class HeldBack {
public:
    /// patience: 0 means ten seconds.
    explicit HeldBack(std::chrono::milliseconds patience);

    /// Whether the call must not throw the exception. Prints a line on standard error, once in the process for each such function.
    bool holds(const std::exception& thrown);

private:
    std::chrono::milliseconds patience_;
    std::size_t callCount_ = 0;
    std::chrono::steady_clock::time_point since_{};
};

}    // namespace ferry::pmpi
