#pragma once

#include <exception>

namespace ferry {

/// The statuses with which every rank of a job exits; documented in docs/errors.md, and frozen.
namespace exitStatus {
constexpr int success = 0;
constexpr int exception = 1;           ///< an exception left the program of a rank
constexpr int usage = 2;               ///< the command line is wrong
constexpr int assertion = 3;           ///< an xassert failed
constexpr int earlyExit = 4;           ///< a slave called exit(0) before the job was done
constexpr int signalBase = 128;        ///< plus the number of the signal that stopped the job
} // namespace exitStatus

/// The status of a job that ends because of this exception.
int exitStatusOf(const std::exception_ptr& cause);

} // namespace ferry
