#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <ferry/device/failure/KernelRecord.hpp>
#include <ferry/serialization/exception/Decomposer.hpp>

// Fills a SiteRecord. nvcc compiles these functions for the device, and the tests compile them for the host.

#ifdef __CUDACC__
#define FERRY_ANYWHERE __host__ __device__
#else
#define FERRY_ANYWHERE
#endif

namespace ferry::detail {

/// The operands of an assertion in a kernel, as numbers. Texts are allocated in no kernel.
struct SiteValues {
    bool isFailed = false;
    const char* sign = "";
    std::uint64_t bits[2] = {};
    KernelValue::Kind kinds[2] = {KernelValue::None, KernelValue::None};
};

/// Writes the value as a number. A value of a class has no kind.
template <class T>
FERRY_ANYWHERE inline KernelValue::Kind putSiteValue(std::uint64_t& bits, const T& value) {
    if constexpr (std::is_enum_v<T>) {
        return putSiteValue(bits, static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (std::is_floating_point_v<T>) {
        const double real = static_cast<double>(value);
        std::memcpy(&bits, &real, sizeof bits);
        return KernelValue::Real;
    } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
        bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
        return KernelValue::Signed;
    } else if constexpr (std::is_integral_v<T>) {
        bits = static_cast<std::uint64_t>(value);
        return KernelValue::Unsigned;
    } else if constexpr (std::is_pointer_v<T>) {
        bits = reinterpret_cast<std::uint64_t>(value);
        return KernelValue::Pointer;
    } else {
        bits = 0;
        return KernelValue::None;
    }
}

#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <class Left, class Right>
FERRY_ANYWHERE inline SiteValues siteValues(const Comparison<Left, Right>& comparison) {
    SiteValues values;
    if (comparison.holds) return values;
    values.isFailed = true;
    values.kinds[0] = putSiteValue(values.bits[0], comparison.left);
    values.kinds[1] = putSiteValue(values.bits[1], comparison.right);
    if (values.kinds[0] != KernelValue::None && values.kinds[1] != KernelValue::None) values.sign = comparison.sign;
    return values;
}

#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <class Left>
FERRY_ANYWHERE inline SiteValues siteValues(const LeftOperand<Left>& operand) {
    SiteValues values;
    values.isFailed = !static_cast<bool>(operand);
    return values;
}

/// For conditions that cannot be taken apart, such as a && b.
#ifdef __CUDACC__
#pragma nv_exec_check_disable
#endif
template <class T>
FERRY_ANYWHERE inline SiteValues siteValues(const T& condition) {
    SiteValues values;
    values.isFailed = !static_cast<bool>(condition);
    return values;
}

FERRY_ANYWHERE inline void putSiteText(char* to, std::size_t bytes, const char* text) {
    std::size_t i = 0;
    for (; i + 1 < bytes && text[i] != 0; ++i) to[i] = text[i];
    to[i] = 0;
}

/// The message shows at most four values.
template <class... Arguments>
FERRY_ANYWHERE inline void fillSite(SiteRecord& record, const SiteValues& values, const char* text, const char* file, int line,
                                    const char* message, const Arguments&... arguments) {
    for (std::size_t i = 0; i < KernelRecord::Values; ++i) record.values.kinds[i] = KernelValue::None;
    for (std::size_t i = 0; i < 2; ++i) {
        record.values.bits[i] = values.bits[i];
        record.values.kinds[i] = values.kinds[i];
    }
    std::size_t next = 2;
    const auto put = [&](const auto& argument) {
        if (next == KernelRecord::Values) return;
        record.values.kinds[next] = putSiteValue(record.values.bits[next], argument);
        ++next;
    };
    static_cast<void>(put);
    (put(arguments), ...);
    record.line = line;
    putSiteText(record.sign, sizeof record.sign, values.sign);
    putSiteText(record.arguments, sizeof record.arguments, text);
    putSiteText(record.message, sizeof record.message, message);
    putSiteText(record.file, sizeof record.file, file);
}
FERRY_ANYWHERE inline void fillSite(SiteRecord& record, const SiteValues& values, const char* text, const char* file, int line) {
    fillSite(record, values, text, file, line, "");
}

}    // namespace ferry::detail
