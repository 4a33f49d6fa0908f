#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <ferry/connector/collective/host/HostRound.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/message/letter/ValueName.hpp>
#include <ferry/connector/transport/HostTeam.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/ints/rangeConcepts.hpp>

namespace ferry {

namespace detail {

/// The sum of the ranks' numbers of elements.
constexpr std::size_t sumOf(std::span<const std::size_t> counts) noexcept {
    std::size_t sum = 0;
    for (const std::size_t count : counts) sum += count;
    return sum;
}

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

/// Whether T is a std::array whose elements may be broadcast from where they lie.
template <class T>
inline constexpr bool isPlainArray = false;

template <class T>
consteval auto findPlainFields() {
    if constexpr (codecKind<T> == CodecKind::Fields) {
        return FieldsOf<T>();
    } else {
        return decltype(visitAggregate<false>(std::declval<const T&>(), FindPack()))();
    }
}
/// The fields of a plain struct, or of a class with FERRY_FIELDS.
template <class T>
using PlainFields = decltype(findPlainFields<T>());

/// Whether the class has FERRY_FIELDS of its own, whose fields have no version.
template <class T>
consteval bool hasOwnPlainFields() {
    return std::is_same_v<FieldAccess::Owner<T>, T> && FieldAccess::version<T>() == 0;
}

template <class T>
consteval bool isPlainData() {
    if constexpr (isBasePart<T>)
        return isPlainData<typename Codec<T>::Class>();
    else if constexpr (std::is_array_v<T>)
        return isPlainData<std::remove_extent_t<T>>();
    else if constexpr (!std::is_trivially_copyable_v<T> || !std::is_default_constructible_v<T> || std::is_volatile_v<T> || alignof(T) > 16)
        return false;
    else if constexpr (ScalarValue<T>)
        return true;
    else if constexpr (isStandardArray<T>)
        return isPlainData<typename T::value_type>();
    else if constexpr (codecKind<T> == CodecKind::Fields) {    // its codec reports faults to the compiler, so it is not asked
        if constexpr (hasOwnPlainFields<T>())
            return areAllPlain(PlainFields<T>());
        else
            return false;
    } else if constexpr (codecKind<T> == CodecKind::Aggregate) {
        if constexpr (aggregateShape<T>.fault == AggregateFault::None && PlainFields<T>::count == aggregateShape<T>.count)
            return areAllPlain(PlainFields<T>());
        else
            return false;
    } else
        return isImage<T>;
}

/// Whether FERRY_FIELDS lists each member of the class, as far as the compiler can count them.
template <class T>
consteval bool areAllMembersListed() {
    if constexpr (std::is_aggregate_v<T>)
        return aggregateShape<T>.fault == AggregateFault::None && aggregateShape<T>.count == PlainFields<T>::count;
    else
        return false;
}

}    // namespace detail

/// Types whose bytes in memory hold the whole value. Other ranks on a machine of the same kind may read the bytes as a T. Numbers, enums,
/// arrays and plain structs are such types. So is a class with FERRY_FIELDS whose fields are such types, if its bytes may be copied
/// (std::is_trivially_copyable).
template <class T>
concept PlainData = !std::is_array_v<T> && detail::isPlainData<T>();

namespace detail {

template <PlainData T, std::size_t N>
    requires(!std::is_same_v<T, bool>)
inline constexpr bool isPlainArray<std::array<T, N>> = N != 0;

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

/// Whether T is std::complex<Part>. <complex> takes a tenth of a second to compile, so the type is recognised by its name and members.
template <class T, class Part>
consteval bool isStandardComplex() {
    if constexpr (ComplexValue<T>)
        return std::is_same_v<typename T::value_type, Part> && isLibraryClass<T>();
    else
        return false;
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
    else if constexpr (isStandardComplex<T, float>())
        return Number::ComplexFloat;
    else if constexpr (isStandardComplex<T, double>())
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
    constexpr bool isComplex = isStandardComplex<T, float>() || isStandardComplex<T, double>();
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
