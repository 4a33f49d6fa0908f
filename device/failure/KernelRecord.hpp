#pragma once

#include <cstddef>
#include <cstdint>

// Failures as kernels record them. Kernels of every device fill these structs, so nothing here needs the standard library at run time.

namespace ferry::detail {

/// One value in a failure. The bits are of a number that the kind names.
struct KernelValue {
    enum Kind : std::uint8_t { None, Signed, Unsigned, Real, Pointer };
};

/// A failed assertion as kernels record it. The text of kernels has the same struct.
struct KernelRecord {
    static constexpr std::size_t Values = 6;    ///< two of the comparison, and four of the message

    std::uint32_t launch = 0;
    std::uint32_t assertion = 0;
    std::uint64_t item = 0;
    std::uint64_t bits[Values] = {};
    std::uint8_t kinds[8] = {};
    std::uint32_t line = 0;    ///< of an xassert in the body of a macro, where the macro is used; else 0
    std::uint32_t unused = 0;
};

/// The failures since the record was emptied, in the order in which they happened.
struct KernelRecords {
    static constexpr std::size_t Kept = 64;

    std::uint32_t count = 0;    ///< also of failures that are not kept
    std::uint32_t unused = 0;
    KernelRecord kept[Kept];
};

/// A failed assertion in a compiled kernel (CUDA). The host cannot see the texts of such a kernel, so that the record has them.
struct SiteRecord {
    static constexpr std::size_t TextBytes = 248;    ///< longer texts are cut

    KernelRecord values;    ///< without launch and assertion
    std::uint32_t block[3] = {};
    std::uint32_t thread[3] = {};
    std::int32_t line = 0;
    char sign[4] = {};                 ///< between the two values; empty when the values are not shown
    char arguments[TextBytes] = {};    ///< the text between the parentheses of xassert
    char message[TextBytes] = {};
    char file[TextBytes] = {};
};

struct SiteRecords {
    static constexpr std::size_t Kept = 16;

    std::uint32_t count = 0;    ///< of the kept failures
    std::uint32_t unused = 0;
    SiteRecord kept[Kept];
};

/// The failures as the kernels of CUDA know them, in memory of the device. The records lie in memory of the host that the device can write,
/// so that the host looks at them without a transfer.
struct SiteFailures {
    std::uint32_t count = 0;    ///< also of failures that are not kept
    std::uint32_t unused = 0;
    SiteRecords* records = nullptr;
};

}    // namespace ferry::detail
