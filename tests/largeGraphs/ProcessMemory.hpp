#pragma once

#include <cstddef>

namespace ferry::test {

// What this process takes of memory, as Linux counts it. Errors: std::runtime_error where /proc does not tell.

std::size_t residentBytes();
std::size_t addressSpaceBytes();
/// The most that residentBytes() has been since resetPeak().
std::size_t peakResidentBytes();
void resetPeak();

/// From now on this process gets so many bytes of address space and no more; asking for more fails.
void limitAddressSpace(std::size_t bytes);

}    // namespace ferry::test
