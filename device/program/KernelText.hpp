#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ferry/device/failure/KernelRecord.hpp>
#include <ferry/device/program/KernelTypes.hpp>

namespace ferry::detail {

/// One xassert in the text of a kernel.
struct KernelAssertion {
    std::string expression;
    std::string comparison;    ///< between the two values, for example "<="; empty when the values are not shown
    std::string message;       ///< as fmt formats it; its arguments are the values behind the two of the comparison
    int line = 0;
};

/// A program of kernels as the device's compiler gets it. Each xassert has become a check that records values.
///
/// Each kernel has two parameters more, behind its own: the record of failures, and the number of the launch.
struct KernelText {
    std::string text;
    std::string file;    ///< in which the program was made
    int line = 0;
    std::vector<KernelAssertion> assertions;
    std::vector<KernelStruct> structs;    ///< to be checked on the device
};

/// Makes the text for the device: declarations, and the kernels with their checks.
/// Errors: UsageError for an xassert outside of a kernel, and for one that has no end.
KernelText makeKernelText(const KernelTypes& types, std::string_view kernels, const char* file, int line);

/// The values of a comparison, as AssertionFailure shows them: "-2 > 0".
std::string kernelValuesText(const KernelAssertion& assertion, const KernelRecord& record);
std::string kernelMessageText(const KernelAssertion& assertion, const KernelRecord& record);

/// The assertion behind a record of a compiled kernel.
KernelAssertion kernelAssertionOf(const SiteRecord& record);

}    // namespace ferry::detail
