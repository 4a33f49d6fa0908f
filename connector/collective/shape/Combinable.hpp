#pragma once

#include <type_traits>
#include <vector>

#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/message/letter/Transportable.hpp>

namespace ferry::detail {

/// The type of the two values that an operator combines: the elements of vectors, unless the operator takes whole vectors.
template <class T, class Operator>
struct Combined {
    using Type = T;
};
template <class T, class Operator>
    requires std::is_invocable_v<Operator&, const T&, const T&>
struct Combined<std::vector<T>, Operator> {
    using Type = T;
};

/// Tells whether the operator can combine values of type T (or elements of vectors). If not, the compiler says why.
template <class T, class Operator>
consteval bool canCombine() {
    if constexpr (isTransportable<T>()) {
        using Value = typename Combined<T, Operator>::Type;
        constexpr bool isInvocable = std::is_invocable_v<Operator&, const Value&, const Value&>;
        constexpr bool isSumOfFlags = std::is_same_v<Value, bool> && (std::is_same_v<Operator, Sum> || std::is_same_v<Operator, Product>);
        static_assert(!isSumOfFlags, "ferry: a sum or product of bools is a number: use Or or And, or reduce numbers");
        static_assert(isInvocable,
                      "ferry: the operator (see Operator) cannot combine two values (see T): it takes two of them, or two elements of "
                      "vectors, and returns one; Sum needs a +, Product a *, Min and Max a <");
        if constexpr (isInvocable) {
            using Result = std::invoke_result_t<Operator&, const Value&, const Value&>;
            constexpr bool isValue = std::is_convertible_v<Result, Value>;
            static_assert(isValue, "ferry: the operator (see Operator) returns something else than the values (see T) that it combines");
            return isValue;
        } else {
            return false;
        }
    } else {
        return false;
    }
}

/// Checks the same condition as a statement.
template <class T, class Operator>
consteval void requireCombinable() {
    static_cast<void>(canCombine<T, Operator>());
}

}    // namespace ferry::detail
