#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <ferry/serialization/exception/ValueText.hpp>

// Takes a condition apart. In `Decomposer() <= a < b`, the first <= stores a reference to a, and the second operator compares a with b.
// Both can then be shown when the comparison fails. The referenced operands exist until the end of the full expression.

namespace ferry::detail {

/// The operands of a failed assertion as text. Empty when the assertion holds.
class FailedValues {
public:
    constexpr FailedValues() noexcept = default;
    explicit FailedValues(std::string text) : text_(std::make_unique<std::string>(std::move(text)).release()) {}
    FailedValues(const FailedValues&) = delete;
    FailedValues& operator=(const FailedValues&) = delete;
    constexpr ~FailedValues() {
        if (text_ != nullptr) destroy();
    }

    constexpr bool isSet() const noexcept { return text_ != nullptr; }
    const std::string& text() const noexcept { return *text_; }

private:
    void destroy() noexcept;

    const std::string* text_ = nullptr;    // owned; a unique_ptr would not work in constexpr functions, but xassert must
};

/// The result of a comparison, with its operands.
template <class Left, class Right>
struct Comparison {
    bool holds;
    const Left& left;
    const char* sign;
    const Right& right;

    explicit constexpr operator bool() const noexcept { return holds; }
};

/// The left operand, before its operator is known.
template <class Left>
struct LeftOperand {
    const Left& value;

    explicit constexpr operator bool() const { return static_cast<bool>(value); }
};

struct Decomposer {
    template <class Left>
    friend constexpr LeftOperand<Left> operator<=(Decomposer, const Left& value) noexcept {
        return {value};
    }
};

#if defined(__clang__)
#define FERRY_BEGIN_DECOMPOSED _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wparentheses\"")
#define FERRY_END_DECOMPOSED _Pragma("clang diagnostic pop")
#else
#define FERRY_BEGIN_DECOMPOSED _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wparentheses\"")
#define FERRY_END_DECOMPOSED _Pragma("GCC diagnostic pop")
#endif

// The comparison is the user's. With mixed signs it behaves as it would without xassert.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
#define FERRY_DECOMPOSED_COMPARISON(sign_)                                                                \
    template <class Left, class Right>                                                                    \
    constexpr Comparison<Left, Right> operator sign_(const LeftOperand<Left>& left, const Right& right) { \
        return {static_cast<bool>(left.value sign_ right), left.value, #sign_, right};                    \
    }
FERRY_DECOMPOSED_COMPARISON(==)
FERRY_DECOMPOSED_COMPARISON(!=)
FERRY_DECOMPOSED_COMPARISON(<)
FERRY_DECOMPOSED_COMPARISON(<=)
FERRY_DECOMPOSED_COMPARISON(>)
FERRY_DECOMPOSED_COMPARISON(>=)
#undef FERRY_DECOMPOSED_COMPARISON
#pragma GCC diagnostic pop

// Bit operations: `flags & mask` is shown by its result.
template <class Left, class Right>
constexpr auto operator&(const LeftOperand<Left>& left, const Right& right) {
    return left.value & right;
}
template <class Left, class Right>
constexpr auto operator|(const LeftOperand<Left>& left, const Right& right) {
    return left.value | right;
}
template <class Left, class Right>
constexpr auto operator^(const LeftOperand<Left>& left, const Right& right) {
    return left.value ^ right;
}

template <class Left, class Right>
constexpr FailedValues failedValues(const Comparison<Left, Right>& comparison) {
    if (comparison.holds) [[likely]] {
        return FailedValues();
    }
    return FailedValues(textOf(comparison.left) + " " + comparison.sign + " " + textOf(comparison.right));
}

template <class Left>
constexpr FailedValues failedValues(const LeftOperand<Left>& operand) {
    if (static_cast<bool>(operand)) [[likely]] {
        return FailedValues();
    }
    return FailedValues(std::is_same_v<Left, bool> ? std::string() : textOf(operand.value));
}

/// For conditions that cannot be taken apart, such as a && b.
template <class T>
constexpr FailedValues failedValues(const T& condition) {
    if (static_cast<bool>(condition)) [[likely]] {
        return FailedValues();
    }
    return FailedValues(std::is_same_v<T, bool> ? std::string() : textOf(condition));
}

}    // namespace ferry::detail
