#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include <ferry/serialization/ints/AggregateFields.hpp>
#include <ferry/serialization/ints/CodecKind.hpp>
#include <ferry/serialization/ints/CodecTraits.hpp>
#include <ferry/serialization/ints/IntSerializableObject.hpp>
#include <ferry/serialization/reference/PointeeType.hpp>

// Arrays that are members of objects: std::array, C arrays and the arrays of a deque whose elements a pointer may point to. Their elements
// have no numbers in a graph. Still, a pointer to the end of such an array must not be taken for a pointer to an object.

namespace ferry::detail {

template <class Base>
struct BasePart;

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
inline constexpr bool isArrayOfClass<T[N]> = std::is_class_v<std::remove_all_extents_t<T>>;

/// Whether a field is the part of a base class outside of the class hierarchy.
template <class T>
inline constexpr bool isPlainBasePart = false;
template <class Base>
inline constexpr bool isPlainBasePart<BasePart<Base>> = !isObject<Base>;

/// Whether the fields of a class can be visited.
template <class T>
consteval bool hasVisibleFields() {
    if constexpr (!std::is_class_v<T> || isFieldProxy<T>)
        return false;
    else if constexpr (codecKind<T> == CodecKind::Fields)
        return true;
    else if constexpr (codecKind<T> == CodecKind::Object)
        return FieldAccess::hasFields<T>();
    else
        return codecKind<T> == CodecKind::Aggregate && std::is_base_of_v<CursorCodec<T>, Codec<T>>;    // has no codec of its own
}

/// Whether a container holds its elements in several arrays, as a deque does.
template <class T>
consteval bool findSegmented() {
    if constexpr (std::is_class_v<T> && !isFieldProxy<T>) {
        if constexpr (codecKind<T> == CodecKind::Sequence)
            return std::is_class_v<typename T::value_type> && !requires(const T& container) { container.data(); } &&
                   requires(const T& container) { std::addressof(container[0]) == std::addressof(container.front()); };
    }
    return false;
}
template <class T>
inline constexpr bool isSegmented = findSegmented<T>();

/// Calls visitor(first element, number of elements) for each array in which such a container holds elements.
template <class T, class Visitor>
void visitSegments(const T& container, const Visitor& visitor) {
    const typename T::value_type* first = nullptr;
    std::size_t count = 0;
    for (const auto& element : container) {
        if (first + count != std::addressof(element)) {
            if (count != 0) visitor(first, count);
            first = std::addressof(element);
            count = 0;
        }
        ++count;
    }
    if (count != 0) visitor(first, count);
}

/// Calls the visitor once, with all fields.
template <class T, class Visitor>
constexpr decltype(auto) visitVisibleFields(const T& value, const Visitor& visitor) {
    if constexpr (codecKind<T> == CodecKind::Aggregate)
        return visitAggregate(value, visitor);
    else
        return FieldAccess::visit(value, visitor);
}

/// Whether the values of a container are visited together with the object that holds the container. Elements that pointers may point to
/// are excluded, because a graph numbers them.
template <class T>
consteval bool hasVisibleElements() {
    if constexpr (!std::is_class_v<T> || isFieldProxy<T>)
        return false;
    else if constexpr (codecKind<T> == CodecKind::Sequence)
        return !(isPointee<typename T::value_type> && requires(const T& container) { container.data(); });
    else
        return codecKind<T> == CodecKind::Associative || codecKind<T> == CodecKind::Forward || codecKind<T> == CodecKind::Numbers;
}

/// The types of the values of a pair, tuple or variant.
template <class T>
struct ValuesIn {
    static constexpr bool areThere = false;
};
template <class... Values>
struct TheseValues {
    static constexpr bool areThere = true;
    template <template <class...> class Template>
    using In = Template<Values...>;
};
template <class First, class Second>
struct ValuesIn<std::pair<First, Second>> : TheseValues<First, Second> {};
template <class... Values>
struct ValuesIn<std::tuple<Values...>> : TheseValues<Values...> {};
template <class... Values>
struct ValuesIn<std::variant<Values...>> : TheseValues<Values...> {};

template <class T, class... Around>
consteval bool holdsArrays();

/// Around: the types whose values are being looked into. A type inside of itself adds nothing.
template <class... Around>
struct FindArrayMembers {
    template <class... Fields>
    constexpr std::bool_constant<(holdsArrays<std::remove_cvref_t<Fields>, Around...>() || ...)> operator()(Fields&&...) const {
        return {};
    }
    template <class... Values>
    struct Among : std::bool_constant<(holdsArrays<std::remove_cv_t<Values>, Around...>() || ...)> {};
};

/// Whether a value is such an array or has one among its fields and values. Fields of bases in the class hierarchy are excluded, because
/// the base handles them.
template <class T, class... Around>
consteval bool holdsArrays() {
    if constexpr (isArrayOfClass<T> || isSegmented<T>)
        return true;
    else if constexpr (!std::is_class_v<T> || (std::is_same_v<T, Around> || ...))
        return false;
    else if constexpr (isPlainBasePart<T>)
        return holdsArrays<std::remove_cvref_t<decltype(std::declval<const T&>().object)>, Around...>();
    else if constexpr (hasVisibleFields<T>())
        return decltype(visitVisibleFields(std::declval<const T&>(), FindArrayMembers<T, Around...>()))::value;
    else if constexpr (ValuesIn<T>::areThere)
        return ValuesIn<T>::template In<FindArrayMembers<T, Around...>::template Among>::value;
    else if constexpr (codecKind<T> == CodecKind::Adaptor)
        return holdsArrays<typename T::container_type, T, Around...>();
    else if constexpr (hasVisibleElements<T>() || codecKind<T> == CodecKind::Optional)
        return holdsArrays<std::remove_cv_t<typename T::value_type>, T, Around...>();
    else
        return false;
}

/// Calls visitor(first element, number of elements) for each such array.
template <class T, class Visitor>
void visitArrays(const T& value, const Visitor& visitor) {
    const auto visitAll = [&visitor](const auto&... fields) { (visitArrays(fields, visitor), ...); };
    if constexpr (!holdsArrays<T>()) {
    } else if constexpr (isArrayOfClass<T>) {
        if constexpr (std::is_class_v<std::remove_cvref_t<decltype(value[0])>>) visitor(std::addressof(value[0]), std::size(value));
        for (const auto& element : value) visitArrays(element, visitor);
    } else if constexpr (isPlainBasePart<T>) {
        visitArrays(value.object, visitor);
    } else if constexpr (hasVisibleFields<T>()) {
        visitVisibleFields(value, visitAll);
    } else if constexpr (requires { value.valueless_by_exception(); }) {
        if (!value.valueless_by_exception()) std::visit(visitAll, value);
    } else if constexpr (ValuesIn<T>::areThere) {
        std::apply(visitAll, value);
    } else if constexpr (codecKind<T> == CodecKind::Optional) {
        if (value.has_value()) visitArrays(*value, visitor);
    } else if constexpr (codecKind<T> == CodecKind::Adaptor) {
        visitArrays(OpenedAdaptor<T>::containerOf(value), visitor);
    } else {
        if constexpr (isSegmented<T>) visitSegments(value, visitor);
        for (const auto& element : value) visitArrays(element, visitor);
    }
}

/// Calls visitor(member) for each member of a class type that lies inside of the value, at any depth.
template <class T, class Visitor>
void visitMembers(const T& value, const Visitor& visitor) {
    const auto visitMember = [&visitor](const auto& member) {
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (std::is_class_v<Member> && !isFieldProxy<Member>) visitor(member);
        visitMembers(member, visitor);
    };
    if constexpr (isArrayOfClass<T>) {
        for (const auto& element : value) visitMember(element);
    } else if constexpr (isPlainBasePart<T>) {
        visitMembers(value.object, visitor);
    } else if constexpr (hasVisibleFields<T>()) {
        visitVisibleFields(value, [&visitMember](const auto&... fields) { (visitMember(fields), ...); });
    }
}

}    // namespace ferry::detail
