#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

// The fields of a plain struct, without a line of code in it: how many there are is found by trying, and a structured binding names them.

namespace ferry::detail {

inline constexpr std::size_t MaxAggregateFields = 32;

/// Stands for a field of any type in an initialisation that is never carried out.
template <class Whole>
struct AnyField {
    template <class T>
        requires(!std::is_same_v<T, Whole>)
    operator T&() const& noexcept;
    template <class T>
        requires(!std::is_same_v<T, Whole>)
    operator T&&() const&& noexcept;
};

template <class T, std::size_t... I>
consteval bool canInitialize(std::index_sequence<I...>) {
    return requires { T{(static_cast<void>(I), AnyField<T>{})...}; };
}

template <class T, std::size_t Most>
consteval std::size_t countFields() {
    if constexpr (Most == 0 || canInitialize<T>(std::make_index_sequence<Most>()))
        return Most;
    else
        return countFields<T, Most - 1>();
}

/// Number of fields of an aggregate; MaxAggregateFields + 1 when there are more.
template <class T>
inline constexpr std::size_t fieldCount = std::is_empty_v<T> ? 0 : countFields<T, std::min(sizeof(T), MaxAggregateFields + 1)>();

/// Stands for a base class in an initialisation that is never carried out.
template <class Whole>
struct AnyBase {
    template <class T>
        requires(!std::is_same_v<T, Whole> && std::is_base_of_v<T, Whole>)
    operator T&() const& noexcept;
    template <class T>
        requires(!std::is_same_v<T, Whole> && std::is_base_of_v<T, Whole>)
    operator T&&() const&& noexcept;
};

/// Whether an aggregate begins with a base class.
template <class T>
consteval bool hasBase() {
    return requires { T{AnyBase<T>{}}; };
}

/// Whether {} can stand in an initialisation behind so many fields, and so many fields behind it.
template <class T, std::size_t... Before, std::size_t... Behind>
consteval bool canBeEmpty(std::index_sequence<Before...>, std::index_sequence<Behind...>) {
    return requires { T{(static_cast<void>(Before), AnyField<T>{})..., {}, (static_cast<void>(Behind), AnyField<T>{})...}; };
}

/// Whether an aggregate of so many fields has a C array among them, whose elements were counted as fields: {} stands for all of them at
/// once, so that there is no room for the rest.
template <class T, std::size_t Count, std::size_t I = 0>
consteval bool hasArray() {
    if constexpr (I + 1 >= Count)
        return false;
    else if constexpr (canBeEmpty<T>(std::make_index_sequence<I>(), std::index_sequence<>()) &&
                       !canBeEmpty<T>(std::make_index_sequence<I>(), std::make_index_sequence<Count - I - 1>()))
        return true;
    else
        return hasArray<T, Count, I + 1>();
}

/// Says what cannot be done with an aggregate; the number of fields to visit.
template <class T>
consteval std::size_t checkedFieldCount() {
    constexpr std::size_t count = fieldCount<T>;
    constexpr bool isTooLong = count > MaxAggregateFields;
    static_assert(!isTooLong, "ferry: a plain struct travels with up to 32 fields: list them with FERRY_FIELDS(...)");
    constexpr bool isDerived = hasBase<T>();
    static_assert(!isDerived,
                  "ferry: a plain struct (see T) with a base class cannot be taken apart: give it FERRY_FIELDS_AFTER(Base, ...)");
    if constexpr (isTooLong || isDerived) {
        return 0;
    } else {
        constexpr bool isWithArray = hasArray<T, count>();
        static_assert(!isWithArray,
                      "ferry: a plain struct (see T) with a C array cannot be taken apart: make it a std::array, or list the fields with "
                      "FERRY_FIELDS(...)");
        return isWithArray ? 0 : count;
    }
}

// clang-format off
/// Calls the visitor once, with all fields of the aggregate. Not for structs with base classes or C arrays.
template <class T, class Visitor>
constexpr decltype(auto) visitAggregate(T& object, Visitor&& visitor) {
    constexpr std::size_t count = checkedFieldCount<std::remove_const_t<T>>();
#define FERRY_VISIT(count_, ...) else if constexpr (count == count_) { auto& [__VA_ARGS__] = object; return visitor(__VA_ARGS__); }
    if constexpr (count == 0) { return visitor(); }
    FERRY_VISIT(1, a)
    FERRY_VISIT(2, a, b)
    FERRY_VISIT(3, a, b, c)
    FERRY_VISIT(4, a, b, c, d)
    FERRY_VISIT(5, a, b, c, d, e)
    FERRY_VISIT(6, a, b, c, d, e, f)
    FERRY_VISIT(7, a, b, c, d, e, f, g)
    FERRY_VISIT(8, a, b, c, d, e, f, g, h)
    FERRY_VISIT(9, a, b, c, d, e, f, g, h, i)
    FERRY_VISIT(10, a, b, c, d, e, f, g, h, i, j)
    FERRY_VISIT(11, a, b, c, d, e, f, g, h, i, j, k)
    FERRY_VISIT(12, a, b, c, d, e, f, g, h, i, j, k, l)
    FERRY_VISIT(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
    FERRY_VISIT(14, a, b, c, d, e, f, g, h, i, j, k, l, m, n)
    FERRY_VISIT(15, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
    FERRY_VISIT(16, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
    FERRY_VISIT(17, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
    FERRY_VISIT(18, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r)
    FERRY_VISIT(19, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s)
    FERRY_VISIT(20, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t)
    FERRY_VISIT(21, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u)
    FERRY_VISIT(22, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v)
    FERRY_VISIT(23, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w)
    FERRY_VISIT(24, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x)
    FERRY_VISIT(25, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y)
    FERRY_VISIT(26, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z)
    FERRY_VISIT(27, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a2)
    FERRY_VISIT(28, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a2, b2)
    FERRY_VISIT(29, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a2, b2, c2)
    FERRY_VISIT(30, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a2, b2, c2, d2)
    FERRY_VISIT(31, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a2, b2, c2, d2, e2)
    FERRY_VISIT(32, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a2, b2, c2, d2, e2, f2)
#undef FERRY_VISIT
}
// clang-format on

}    // namespace ferry::detail
