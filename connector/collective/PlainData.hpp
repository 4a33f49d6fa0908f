#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <ranges>
#include <type_traits>
#include <vector>

#include <ferry/connector/collective/HostRound.hpp>
#include <ferry/connector/collective/Operators.hpp>
#include <ferry/connector/message/ValueName.hpp>
#include <ferry/connector/transport/HostTeam.hpp>
#include <ferry/serialization/Codec.hpp>

namespace ferry {

namespace detail {

template <class T>
consteval bool isPlainData();

template <class... Values>
consteval bool areAllPlain(Pack<Values...>) {
    return (isPlainData<Values>() && ...);
}

template <class T>
inline constexpr bool isStandardArray = false;
template <class T, std::size_t N>
inline constexpr bool isStandardArray<std::array<T, N>> = true;

template <class T>
consteval bool isPlainData() {
    if constexpr (!std::is_trivially_copyable_v<T> || !std::is_default_constructible_v<T> || alignof(T) > 16)
        return false;
    else if constexpr (ScalarValue<T> || isImage<T>)
        return true;
    else if constexpr (isStandardArray<T>)
        return isPlainData<typename T::value_type>();
    else if constexpr (codecKind<T> == CodecKind::Aggregate)
        return areAllPlain(AggregatePack<T>());
    else
        return false;
}

}    // namespace detail

/// Types whose value is fully held by its bytes in memory: numbers, enums, and plain structs and arrays of them. So other ranks on a
/// machine of the same kind may read the bytes as a T.
template <class T>
concept PlainData = detail::isPlainData<T>();

/// Plain elements side by side, in a container that can be resized: a std::vector or std::string of them.
template <class Sequence>
concept PlainSequence = requires(Sequence& sequence, std::size_t count) {
    typename Sequence::value_type;
    requires PlainData<typename Sequence::value_type>;
    requires std::ranges::contiguous_range<Sequence>;
    requires std::is_default_constructible_v<Sequence>;
    sequence.resize(count);
};

/// Plain elements side by side: a std::vector, std::array, std::span of them.
template <class Range>
concept PlainRange = std::ranges::contiguous_range<const Range> && std::ranges::sized_range<const Range> &&
    PlainData<std::ranges::range_value_t<const Range>>;

namespace detail {

/// The element type of T, a collective's value: plain data, or a sequence of plain data.
template <class T>
const PlainType& plainTypeOf() {
    if constexpr (PlainData<T>) {
        static constexpr PlainType type{valueKey<T>, sizeof(T), spelledName<T>()};
        return type;
    } else {
        static_assert(PlainSequence<T>);
        static constexpr PlainType type{valueKey<T>, sizeof(typename T::value_type), spelledName<T>()};
        return type;
    }
}

template <class T>
consteval std::optional<PlainReduction::Number> numberKind() {
    using Number = PlainReduction::Number;
    if constexpr (std::is_same_v<T, bool>)
        return Number::Bool;
    else if constexpr (std::is_same_v<T, float>)
        return Number::Float;
    else if constexpr (std::is_same_v<T, double>)
        return Number::Double;
    else if constexpr (std::is_same_v<T, std::complex<float>>)
        return Number::ComplexFloat;
    else if constexpr (std::is_same_v<T, std::complex<double>>)
        return Number::ComplexDouble;
    else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
        return sizeof(T) == 1 ? Number::Int8 : sizeof(T) == 2 ? Number::Int16 : sizeof(T) == 4 ? Number::Int32 : Number::Int64;
    else if constexpr (std::is_integral_v<T>)
        return sizeof(T) == 1 ? Number::Uint8 : sizeof(T) == 2 ? Number::Uint16 : sizeof(T) == 4 ? Number::Uint32 : Number::Uint64;
    else
        return std::nullopt;
}

template <class Operator, class T>
consteval std::optional<PlainReduction::Operator> operatorKind() {
    using Kind = PlainReduction::Operator;
    constexpr bool isComplex = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;
    constexpr bool isBool = std::is_same_v<T, bool>;
    const auto isAnyOf = [](auto... candidates) { return (std::is_same_v<Operator, decltype(candidates)> || ...); };
    if (!isBool && isAnyOf(Sum(), std::plus<>(), std::plus<T>())) return Kind::Sum;
    if (!isBool && isAnyOf(Product(), std::multiplies<>(), std::multiplies<T>())) return Kind::Product;
    if (!isBool && !isComplex && isAnyOf(Min())) return Kind::Min;
    if (!isBool && !isComplex && isAnyOf(Max())) return Kind::Max;
    if ((isBool || std::is_integral_v<T>)&&isAnyOf(And(), std::logical_and<>(), std::logical_and<T>())) return Kind::And;
    if ((isBool || std::is_integral_v<T>)&&isAnyOf(Or(), std::logical_or<>(), std::logical_or<T>())) return Kind::Or;
    return std::nullopt;
}

/// Returns the reduction in the form that a team may know; nothing when a team cannot know it.
template <class T, class Operator>
std::optional<PlainReduction> knownReduction() {
    if constexpr (numberKind<T>().has_value() && operatorKind<Operator, T>().has_value()) {
        PlainReduction reduction;
        reduction.number = *numberKind<T>();
        reduction.combine = *operatorKind<Operator, T>();
        reduction.numberBytes = sizeof(T);
        reduction.combineInto = [](void* left, const void* right, std::size_t count) {
            T* const total = static_cast<T*>(left);
            const T* const values = static_cast<const T*>(right);
            for (std::size_t i = 0; i < count; ++i) total[i] = static_cast<T>(Operator()(total[i], values[i]));
        };
        return reduction;
    } else {
        return std::nullopt;
    }
}

}    // namespace detail

}    // namespace ferry
