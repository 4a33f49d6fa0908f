#pragma once

#include <chrono>
#include <cstddef>

namespace ferry::pmpi {

/// Counts the calls of MPI that a rank makes after a failure, with nothing done. A loop that ends by a received value, or that goes on
/// after each exception, makes such calls for ever. A clean-up makes few of them, or takes little time.
class CallsAfterFailure {
public:
    /// patience: 0 means ten seconds.
    explicit CallsAfterFailure(std::chrono::milliseconds patience);

    /// Notes a call. Returns whether there were more than a hundred calls in more than the patience.
    bool areTooMany();

private:
    std::chrono::milliseconds patience_;
    std::size_t count_ = 0;
    std::chrono::steady_clock::time_point since_{};
};

}    // namespace ferry::pmpi
