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

// clang-format off
/// Calls the visitor once, with all fields of the aggregate. Not for structs with base classes or C arrays.
template <class T, class Visitor>
constexpr decltype(auto) visitAggregate(T& object, Visitor&& visitor) {
    constexpr std::size_t count = fieldCount<std::remove_const_t<T>>;
    static_assert(count <= MaxAggregateFields, "ferry: a plain struct travels with up to 32 fields: list them with FERRY_FIELDS(...)");
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
