#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <ferry/serialization/ints/AggregateFields.hpp>
#include <ferry/serialization/ints/CodecKind.hpp>
#include <ferry/serialization/ints/CodecTraits.hpp>
#include <ferry/serialization/ints/IntSerializableObject.hpp>

// Arrays that are members of objects: std::array and C arrays whose elements a pointer may point to. Their elements have no numbers in a
// graph. Still, a pointer to the end of such an array must not be taken for a pointer to an object.

namespace ferry::detail {

/// Whether the program writes raw pointers to T in graphs. The value is known before main().
template <class T>
struct RawPointerUse {
    static inline bool isThere = false;
    static inline const bool mark = (isThere = true);
};
/// To be instantiated where raw pointers are written.
template <class T>
const bool* markRawPointerUse() noexcept {
    return &RawPointerUse<std::conditional_t<std::is_base_of_v<IntSerializableObject, T>, IntSerializableObject, T>>::mark;
}
template <class T>
bool hasRawPointers() noexcept {
    return RawPointerUse<std::conditional_t<std::is_base_of_v<IntSerializableObject, T>, IntSerializableObject, T>>::isThere;
}

template <class T>
inline constexpr bool isArrayOfClass = false;
template <class T, std::size_t N>
inline constexpr bool isArrayOfClass<std::array<T, N>> = std::is_class_v<T>&& N != 0;
template <class T, std::size_t N>
inline constexpr bool isArrayOfClass<T[N]> = std::is_class_v<T>;

template <class T>
consteval bool holdsArrays();

struct FindArrayMembers {
    template <class... Fields>
    constexpr std::bool_constant<(holdsArrays<std::remove_cvref_t<Fields>>() || ...)> operator()(Fields&&...) const {
        return {};
    }
};

/// Whether a value is such an array or has one among its fields. Fields of bases in the class hierarchy are excluded, because the base
/// handles them.
template <class T>
consteval bool holdsArrays() {
    if constexpr (isArrayOfClass<T>)
        return true;
    else if constexpr (!std::is_class_v<T> || isFieldProxy<T>)
        return false;
    else if constexpr (codecKind<T> == CodecKind::Fields || (codecKind<T> == CodecKind::Object && FieldAccess::hasFields<T>()))
        return decltype(FieldAccess::visit(std::declval<const T&>(), FindArrayMembers()))::value;
    else if constexpr (codecKind<T> == CodecKind::Aggregate && std::is_base_of_v<CursorCodec<T>, Codec<T>>)    // has no codec of its own
        return decltype(visitAggregate(std::declval<const T&>(), FindArrayMembers()))::value;
    else
        return false;
}

/// Calls visitor(first element, number of elements) for each such array.
template <class T, class Visitor>
void visitArrays(const T& value, const Visitor& visitor) {
    const auto visitAll = [&visitor](const auto&... fields) { (visitArrays(fields, visitor), ...); };
    if constexpr (!holdsArrays<T>()) {
    } else if constexpr (isArrayOfClass<T>) {
        visitor(&value[0], std::size(value));
        for (const auto& element : value) visitArrays(element, visitor);
    } else if constexpr (codecKind<T> == CodecKind::Aggregate) {
        visitAggregate(value, visitAll);
    } else {
        FieldAccess::visit(value, visitAll);
    }
}

}    // namespace ferry::detail
