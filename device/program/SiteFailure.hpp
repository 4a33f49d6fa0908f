#pragma once

#include <string_view>

#include <ferry/device/failure/KernelFailure.hpp>
#include <ferry/device/failure/KernelRecord.hpp>

namespace ferry::detail {

/// Throws the AssertionFailure for the record of the lowest block and thread. launch: without a file where it is not known.
/// Errors: DeviceError (KernelFault) for records that no kernel has written.
[[noreturn]] void throwSiteFailure(const SiteRecords& records, std::string_view device, const LaunchPlace& launch);

}    // namespace ferry::detail
