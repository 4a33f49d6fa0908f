#pragma once

#include <exception>
#include <optional>

namespace ferry {

/// The exit statuses of every rank of a job; documented in docs/errors.md, and frozen.
namespace exitStatus {
constexpr int success = 0;
constexpr int exception = 1;        ///< an exception left the program of a rank
constexpr int usage = 2;            ///< the command line is wrong
constexpr int assertion = 3;        ///< an xassert failed
constexpr int earlyExit = 4;        ///< a rank left the job before it was done, without a failure status of its own
constexpr int buildMismatch = 5;    ///< the ranks know different classes, so they come from different builds
constexpr int lostRank = 6;         ///< a rank is lost, and the job cannot go on without it
constexpr int signalBase = 128;     ///< plus the number of the signal that stopped the job
}    // namespace exitStatus

namespace detail {

/// The status of a job that ends because of this exception: 0 for a null pointer, otherwise between 1 and 255.
int exitStatusOf(const std::exception_ptr& cause);

/// Whether the exception says that the job has lost a rank without which it cannot go on.
bool isLossFailure(const std::exception_ptr& cause);

/// The status that a Terminated carries, as it was thrown. Empty for any other exception.
std::optional<int> terminationStatusOf(const std::exception_ptr& cause);

/// The part of a status given to exit() that a process can pass on: 0 to 255.
constexpr int visibleExitStatus(int status) noexcept { return status & 0xff; }

}    // namespace detail

}    // namespace ferry
