#pragma once

#include <chrono>
#include <cstddef>
#include <exception>

namespace ferry::pmpi {

/// Exceptions that calls of MPI in a region do not throw, since they could not leave a function around the call: a destructor, or another
/// one that is `noexcept`. Such a call gives control back with nothing done, and the next one outside of that function throws.
///
/// A program whose loop ends by what it receives would never leave such a function. So after a hundred calls, and some time, the exception
/// is thrown all the same; std::terminate ends the process then.
class HeldBack {
public:
    /// patience: 0: ten seconds.
    explicit HeldBack(std::chrono::milliseconds patience);

    /// Whether the call is not to throw it. Says so on standard error, once in the process for each such function.
    bool holds(const std::exception& thrown);

private:
    std::chrono::milliseconds patience_;
    std::size_t callCount_ = 0;
    std::chrono::steady_clock::time_point since_{};
};

}    // namespace ferry::pmpi
