#pragma once

#include <cstddef>

namespace ferry::test {

// The memory use of this process, as Linux counts it. Errors: std::runtime_error when /proc does not give it.

std::size_t residentBytes();
std::size_t addressSpaceBytes();
/// The largest value of residentBytes() since resetPeak().
std::size_t peakResidentBytes();
void resetPeak();

/// Limits the address space of this process to its present size plus this number of bytes. Further requests fail.
void limitAddressSpace(std::size_t bytes);

}    // namespace ferry::test
