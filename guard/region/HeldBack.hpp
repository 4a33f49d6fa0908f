#pragma once

#include <chrono>
#include <exception>

#include <ferry/guard/region/CallsAfterFailure.hpp>

namespace ferry::pmpi {

/// Exceptions that calls of MPI in a region do not throw, since they could not leave a function around the call: a destructor, or another
/// `noexcept` function. Such a call returns with nothing done, and the next call outside that function throws.
///
/// A program whose loop depends on received data would never leave such a function. So after too many calls the exception is thrown
/// nevertheless; std::terminate then ends the process.
class HeldBack {
public:
    static constexpr std::chrono::milliseconds forever = std::chrono::hours(24 * 365);

    /// patience: 0 means ten seconds.
    explicit HeldBack(std::chrono::milliseconds patience) : calls_(patience) {}

    /// Whether the call must not throw the exception. Prints a line on standard error, once in the process for each such function.
    bool holds(const std::exception& thrown);

private:
    CallsAfterFailure calls_;
};

}    // namespace ferry::pmpi
