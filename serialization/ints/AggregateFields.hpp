#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <ferry/serialization/ints/CodecTraits.hpp>

// The fields of a plain struct that has no serialization code of its own. Trial initialisations count the fields, and a structured binding
// names them. A C array is one field.

namespace ferry::detail {

inline constexpr std::size_t MaxAggregateFields = 32;

// Initialisers that stand for the fields in an initialisation that is never carried out. A conversion is const where a constructor template
// of the field must win over the conversion.

/// The body of a conversion. clang takes a trial with a constexpr constructor for a use, which needs a body.
[[noreturn]] inline void neverCarriedOut() noexcept { __builtin_unreachable(); }

/// Converts to a new value of any type. The field needs no copy and no move constructor.
template <class Whole>
struct AnyValue {
    template <class T>
        requires(!std::is_same_v<T, Whole>)
    operator T() const noexcept { neverCarriedOut(); }
};

/// Refers to an object of any type, for fields that are references.
template <class Whole>
struct AnyReference {
    template <class T>
        requires(!std::is_same_v<T, Whole>)
    operator T&() const& noexcept;
    template <class T>
        requires(!std::is_same_v<T, Whole>)
    operator T&&() const&& noexcept;
};

/// Converts to no type. Initialises a field whose constructor takes anything.
struct AnyArgument {};

/// Converts to a base class of the whole.
template <class Whole>
struct AnyBase {
    template <class T>
        requires(!std::is_same_v<T, Whole> && std::is_base_of_v<T, Whole>)
    operator T() const noexcept { neverCarriedOut(); }
};

/// Initialises the same fields as Other, except a base class of the whole.
template <class Whole, class Other>
struct NoBase : Other {
    template <class T>
        requires(!std::is_same_v<T, Whole> && std::is_base_of_v<T, Whole>)
    operator T() && = delete;
};
template <class Whole>
struct NoBase<Whole, AnyValue<Whole>> {
    template <class T>
        requires(!std::is_same_v<T, Whole> && std::is_base_of_v<T, Whole>)
    operator T() && = delete;
    template <class T>
        requires(!std::is_same_v<T, Whole> && !std::is_base_of_v<T, Whole>)
    operator T() const noexcept { neverCarriedOut(); }
};

/// Initialises the same fields as Other, except a union that has no codec.
template <class Whole, class Other>
struct NoUnion : Other {};
template <class Whole>
struct NoUnion<Whole, AnyValue<Whole>> {
    template <class T>
        requires(!std::is_same_v<T, Whole> && (!std::is_union_v<T> || Writable<T>))
    operator T() const noexcept { neverCarriedOut(); }
    template <class T>
        requires(std::is_union_v<T> && !Writable<T>)
    operator T() const = delete;
};

/// The initialisers of the first fields of an aggregate, in their order.
template <class... Initialisers>
struct FieldProbes {
    static constexpr std::size_t count = sizeof...(Initialisers);
};

/// Whether an aggregate can be initialised by these initialisers, followed by one Further for each index of Behind.
template <class T, class Further, class... Initialisers, std::size_t... Behind>
consteval bool isInitialised(FieldProbes<Initialisers...>, std::index_sequence<Behind...>) {
    return requires { T{Initialisers{}..., (static_cast<void>(Behind), Further{})...}; };
}
template <class T, class... Initialisers>
consteval bool isInitialised(FieldProbes<Initialisers...> probes) {
    return isInitialised<T, AnyArgument>(probes, std::index_sequence<>());
}

/// Whether an aggregate can be initialised by these initialisers, followed by initialisers for all fields that must have one.
template <class T, std::size_t Behind, class... Initialisers>
consteval bool canInitialise(FieldProbes<Initialisers...> probes) {
    using Further = std::make_index_sequence<Behind>;
    if constexpr (isInitialised<T, AnyValue<T>>(probes, Further()) || isInitialised<T, AnyReference<T>>(probes, Further()))
        return true;
    else if constexpr (sizeof...(Initialisers) + Behind <= MaxAggregateFields)
        return canInitialise<T, Behind + 1>(probes);
    else
        return false;
}

/// Finds the initialiser of one field after the other. Where the remaining fields need no initialiser, only the next field is tried.
template <class T, class... Initialisers>
consteval auto findProbes(FieldProbes<Initialisers...> probes) {
    constexpr bool isWhole = isInitialised<T>(probes);
    constexpr auto fits = []<class Next>(Next) {
        using Longer = FieldProbes<Initialisers..., Next>;
        if constexpr (isWhole)
            return isInitialised<T>(Longer());
        else
            return canInitialise<T, 0>(Longer());
    };
    if constexpr (sizeof...(Initialisers) > MaxAggregateFields)
        return probes;
    else if constexpr (fits(AnyValue<T>()))
        return findProbes<T>(FieldProbes<Initialisers..., AnyValue<T>>());
    else if constexpr (fits(AnyReference<T>()))
        return findProbes<T>(FieldProbes<Initialisers..., AnyReference<T>>());
    else if constexpr (fits(AnyArgument()))
        return findProbes<T>(FieldProbes<Initialisers..., AnyArgument>());
    else if constexpr (isWhole)
        return probes;
    else
        return FieldProbes<>();
}

template <class T>
using ProbesOf = decltype(findProbes<T>(FieldProbes<>()));

/// Number of fields of an aggregate. MaxAggregateFields + 1: there are more. 0: the fields cannot be counted.
template <class T>
inline constexpr std::size_t fieldCount = ProbesOf<T>::count;

/// Whether an aggregate begins with a base class.
template <class T, class First, class... Rest>
consteval bool hasBase(FieldProbes<First, Rest...>) {
    if constexpr (!isInitialised<T>(FieldProbes<NoBase<T, First>, Rest...>()))
        return true;
    else    // a compiler may accept further fields of the base class here
        return isInitialised<T>(FieldProbes<AnyBase<T>, Rest...>()) && !isInitialised<T>(FieldProbes<AnyArgument, Rest...>());
}
template <class T>
consteval bool hasBase(FieldProbes<>) {
    return false;
}

/// Whether an aggregate has a union among its fields, with a name or without.
template <class T, class... Initialisers>
consteval bool hasUnion(FieldProbes<Initialisers...>) {
    return !isInitialised<T>(FieldProbes<NoUnion<T, Initialisers>...>());
}

/// Whether {} can initialise one field, with values before and after it.
template <class T, class... Initialisers, std::size_t... Before, std::size_t... Behind>
consteval bool canBeEmpty(FieldProbes<Initialisers...>, std::index_sequence<Before...>, std::index_sequence<Behind...>) {
    using All = std::tuple<Initialisers...>;
    return requires { T{std::tuple_element_t<Before, All>{}..., {}, std::tuple_element_t<sizeof...(Before) + 1 + Behind, All>{}...}; };
}

/// The last Kept of Total indices.
template <std::size_t Total, std::size_t Kept, std::size_t... I>
consteval auto lastIndices(std::index_sequence<I...>) {
    return std::index_sequence<Total - Kept + I...>();
}

/// Whether {} can initialise one field, with values for the fields before it, and for the last fields, of which there are fewer than
/// Behind.
template <class T, std::size_t I, std::size_t Behind, class... Initialisers>
consteval bool canBeEmptyBefore(FieldProbes<Initialisers...> probes) {
    if constexpr (Behind == 0)
        return false;
    else if constexpr (canBeEmpty<T>(probes, std::make_index_sequence<I>(),
                                     lastIndices<sizeof...(Initialisers) - I - 1, Behind - 1>(std::make_index_sequence<Behind - 1>())))
        return true;
    else
        return canBeEmptyBefore<T, I, Behind - 1>(probes);
}

/// Whether an aggregate has a C array among its fields, whose elements were counted as fields. {} initialises the whole array, so that the
/// values for the other elements have no field left. Fields behind the array may need values.
template <class T, std::size_t I = 0, class... Initialisers>
consteval bool hasArray(FieldProbes<Initialisers...> probes) {
    constexpr std::size_t Count = sizeof...(Initialisers);
    if constexpr (I + 1 >= Count)
        return false;
    else if constexpr (!canBeEmpty<T>(probes, std::make_index_sequence<I>(), std::make_index_sequence<Count - I - 1>()) &&
                       canBeEmptyBefore<T, I, Count - I - 1>(probes))
        return true;
    else
        return hasArray<T, I + 1>(probes);
}

/// Whether members of this type never travel. FERRY_FIELDS need not list them.
template <class T>
inline constexpr bool staysBehind = std::is_empty_v<T>;

/// Converts to an object without data that travels.
template <class Whole>
struct AnyEmpty {
    template <class T>
        requires(!std::is_same_v<T, Whole> && staysBehind<T>)
    operator T() const noexcept { neverCarriedOut(); }
};

/// Fields that {} initialises, and the empty ones among them.
struct BraceCount {
    std::size_t fields = 0;
    std::size_t empties = 0;
};

// clang-format off
/// Counts the fields of an aggregate, each of which {} initialises. An array is one field, and so is a base class. No fields: {} does not
/// initialise every field, or there are more than MaxAggregateFields.
template <class T>
consteval BraceCount countBraces() {
    std::size_t empties = requires { T{AnyEmpty<T>()}; } ? 1 : 0;
#define FERRY_BRACES(count_, ...) \
    if constexpr (!requires { T{__VA_ARGS__}; }) { \
        return {}; \
    } else if constexpr (!requires { T{__VA_ARGS__, {}}; }) { \
        constexpr bool hasMore = requires { T{__VA_ARGS__, AnyValue<T>()}; } || requires { T{__VA_ARGS__, AnyReference<T>()}; } || \
                                 requires { T{__VA_ARGS__, AnyArgument()}; }; \
        return hasMore ? BraceCount() : BraceCount{count_, empties}; \
    } else { \
        if constexpr (requires { T{__VA_ARGS__, AnyEmpty<T>()}; }) ++empties;
    FERRY_BRACES(1, {})
    FERRY_BRACES(2, {}, {})
    FERRY_BRACES(3, {}, {}, {})
    FERRY_BRACES(4, {}, {}, {}, {})
    FERRY_BRACES(5, {}, {}, {}, {}, {})
    FERRY_BRACES(6, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(7, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(8, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(9, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(10, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(11, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(12, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(13, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(14, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(15, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(16, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(17, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(18, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(19, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(20, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(21, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(22, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(23, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(24, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(25, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(26, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(27, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(28, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(29, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(30, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(31, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
    FERRY_BRACES(32, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
#undef FERRY_BRACES
        return {};
    }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
}
// clang-format on

/// Why an aggregate cannot be taken apart.
enum class AggregateFault { None, Uncounted, TooLong, Base, Union, Array };

struct AggregateShape {
    std::size_t count = 0;    ///< number of fields to visit; 0 when there is a fault
    AggregateFault fault = AggregateFault::None;
};

template <class T>
consteval AggregateShape findAggregateShape() {
    constexpr std::size_t flat = fieldCount<T>;    // each element of an array counts
    if constexpr (flat == 0) {
        return {0, std::is_empty_v<T> ? AggregateFault::None : AggregateFault::Uncounted};
    } else if constexpr (hasBase<T>(ProbesOf<T>())) {
        return {0, AggregateFault::Base};
    } else if constexpr (hasUnion<T>(ProbesOf<T>())) {
        return {0, AggregateFault::Union};
    } else if constexpr (flat > MaxAggregateFields) {
        constexpr std::size_t count = countBraces<T>().fields;
        return {count, count == 0 ? AggregateFault::TooLong : AggregateFault::None};
    } else if constexpr (hasArray<T>(ProbesOf<T>())) {
        constexpr std::size_t count = countBraces<T>().fields;
        return {count, count == 0 ? AggregateFault::Array : AggregateFault::None};
    } else {
        return {flat, AggregateFault::None};
    }
}
template <class T>
inline constexpr AggregateShape aggregateShape = findAggregateShape<T>();

/// Returns the number of fields to visit. Reports an aggregate that cannot be taken apart with a static_assert.
template <class T>
consteval std::size_t checkedFieldCount() {
    constexpr AggregateFault fault = aggregateShape<T>.fault;
    constexpr bool isCounted = fault != AggregateFault::Uncounted;
    static_assert(isCounted,
                  "ferry: the fields of a plain struct (see T) cannot be counted: list them with FERRY_FIELDS(...), or give it writeToInts "
                  "and readFromInts");
    constexpr bool isTooLong = fault == AggregateFault::TooLong;
    static_assert(!isTooLong, "ferry: a plain struct (see T) travels with up to 32 fields: list them with FERRY_FIELDS(...)");
    constexpr bool isDerived = fault == AggregateFault::Base;
    static_assert(!isDerived,
                  "ferry: a plain struct (see T) with a base class cannot be taken apart: give it FERRY_FIELDS_AFTER(Base, ...)");
    constexpr bool isWithUnion = fault == AggregateFault::Union;
    static_assert(!isWithUnion,
                  "ferry: a plain struct (see T) with a union does not say which of its members is in use: make it a std::variant, or "
                  "give the struct writeToInts and readFromInts");
    constexpr bool isWithArray = fault == AggregateFault::Array;
    static_assert(
        !isWithArray,
        "ferry: a plain struct (see T) with a C array cannot be taken apart if {} does not initialise each of its fields: list the "
        "fields with FERRY_FIELDS(...)");
    return aggregateShape<T>.count;
}

/// Takes objects to which a reference can be bound. A bit-field and a field of a packed struct are none.
void takeFields(auto&...);

/// Returns the object as a mutable one, for questions about the types of its fields.
template <class T>
constexpr T& asMutable(const T& object) noexcept {
    return const_cast<T&>(object);
}

/// Reports a plain struct whose fields cannot be bound, once for each struct.
template <class T, bool areBound>
struct BoundFields {
    static_assert(areBound,
                  "ferry: a plain struct (see T) with a bit-field, a struct without a name, an array of no elements, or packed, cannot be "
                  "taken apart: give it writeToInts and readFromInts");
    static constexpr bool isChecked = true;
};

#if defined(__clang__)    // clang 14 takes no structured binding in a requirement
#define FERRY_CAN_BIND(...) true
#else
#define FERRY_CAN_BIND(...) \
    requires { takeFields(__VA_ARGS__); }
#endif

// clang-format off
/// Calls the visitor once, with all fields of the aggregate. Not for structs with base classes. isTold: whether the compiler reports an
/// aggregate that cannot be taken apart. Otherwise the visitor gets no fields.
template <bool isTold = true, class T, class Visitor>
constexpr decltype(auto) visitAggregate(T& object, Visitor&& visitor) {
    constexpr std::size_t count = isTold ? checkedFieldCount<std::remove_const_t<T>>() : aggregateShape<std::remove_const_t<T>>.count;
#define FERRY_VISIT(count_, ...) \
    else if constexpr (count == count_) { \
        auto& [__VA_ARGS__] = asMutable(object); \
        constexpr bool isBound = FERRY_CAN_BIND(__VA_ARGS__); \
        static_assert(BoundFields<std::remove_const_t<T>, isBound || !isTold>::isChecked); \
        if constexpr (isBound) return visitor(__VA_ARGS__); else return visitor(); \
    }
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
#undef FERRY_CAN_BIND
}
// clang-format on

}    // namespace ferry::detail
