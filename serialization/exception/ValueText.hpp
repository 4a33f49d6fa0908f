#pragma once

#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/core.h>

#include <ferry/serialization/ints/CodecKind.hpp>
#include <ferry/serialization/ints/CodecTraits.hpp>
#include <ferry/serialization/ints/FieldNames.hpp>
#include <ferry/serialization/ints/HeldText.hpp>

// Converts values in a failed assertion or a context to text: short, in one line, and "?" for values that cannot be shown.
//
// Types of the standard library are recognised by their members if this saves a header. These types are checked before formatters, so that
// their text does not depend on whether a source includes <fmt/ranges.h> and similar headers.

namespace ferry::detail {

std::string textOfBool(bool value);
std::string textOfCharacter(char value);
std::string textOfInteger(long long value);
std::string textOfUnsigned(unsigned long long value);
std::string textOfFloat(double value);
std::string textOfString(std::string_view value);
std::string textOfPointer(const volatile void* value);
/// The output of a {fmt} formatter.
std::string textOfFormatted(fmt::format_args value);
/// The output of an operator<<.
std::string textOfStreamed(const void* value, void (*write)(std::ostream& out, const void* value));
/// For example "5ms", or "5[1/30]s" for 5 units of 1/30 second.
std::string textOfDuration(const std::string& count, long long numerator, long long denominator);
/// A time since 1970, UTC, in units of numerator / denominator seconds.
std::string textOfTime(long long count, long long numerator, long long denominator);
/// The replacement for the text of a value whose conversion threw. To be called in a handler of that exception.
std::string textOfThrowing();

/// Deeper nested values are shown as "...".
constexpr int maxTextDepth = 4;

template <class T>
std::string nestedTextOf(const T& value, int depth);

/// Excludes the integers of 128 bits, which {fmt} can format.
template <class T>
concept IsNumber = std::floating_point<T> ||(std::integral<T> && sizeof(T) <= sizeof(long long));

/// Whether the type has its own formatter. Types that {fmt} accepts only because they convert to a text are excluded and use their
/// operator<<.
template <class T>
concept HasFormatter = fmt::has_formatter<T, fmt::format_context>::value ||
    (fmt::is_formattable<T>::value && (std::is_arithmetic_v<T> || requires(const T& value) { format_as(value); }));

template <class T>
concept HasStreamOperator = requires(std::ostream& out, const T& value) {
    out << value;
};

template <class T>
concept IsString = std::is_convertible_v<const T&, std::string_view> &&(!std::is_class_v<T> || requires { typename T::traits_type; });

template <class T>
concept IsSmartPointer = requires(const T& value) {
    typename T::element_type;
    { value.get() } -> std::convertible_to<const volatile void*>;
};

template <class T>
concept IsPath = requires(const T& value) {
    { value.native() } -> std::convertible_to<std::string_view>;
};

template <class T>
concept IsDuration = requires(const T& value) {
    T::period::num;
    typename T::rep;
    value.count();
};

template <class T>
concept IsTimePoint = requires(const T& value) {
    typename T::clock;
    { value.time_since_epoch() } -> IsDuration;
};

template <class T>
concept IsOptional = requires(const T& value) {
    { value.has_value() } -> std::same_as<bool>;
    *value;
};

template <class T>
concept IsVariant = requires(const T& value) {
    { value.valueless_by_exception() } -> std::same_as<bool>;
    value.index();
};

template <class T>
concept IsTuple = requires {
    std::tuple_size<T>::value;
};

/// Whether the type has elements. A type that is its own element type, such as a path, is excluded.
template <class T>
concept HasElements = requires(const T& value) {
    value.begin() != value.end();
    ++std::declval<decltype(value.begin())&>();
    *value.begin();
    requires !std::same_as<std::remove_cvref_t<decltype(*value.begin())>, T>;
};

/// Whether the elements are bools. Those of std::vector<bool> come as objects that stand for a bit.
template <class Iterator>
concept HasBools = std::same_as<typename std::iterator_traits<Iterator>::value_type, bool>;

/// Shows the first elements, and the number of elements if the range knows it. No further elements are visited, because a range may be
/// infinite.
template <class Iterator, class Sentinel>
std::string textOfElements(Iterator iterator, const Sentinel& end, std::optional<std::size_t> count, int depth) {
    constexpr std::size_t MaxShown = 8;
    std::string text = "[";
    for (std::size_t shown = 0; iterator != end; ++iterator, ++shown) {
        if (shown == MaxShown) return text + ", ..." + (count ? " " + textOfUnsigned(*count) + " elements]" : "]");
        if (shown != 0) text += ", ";
        if constexpr (HasBools<Iterator>) {
            text += textOfBool(*iterator);
        } else {
            text += nestedTextOf(*iterator, depth);
        }
    }
    return text + "]";
}

template <class Range>
std::string textOfRange(const Range& range, int depth) {
    std::optional<std::size_t> count;
    if constexpr (requires {
                      { range.size() } -> std::convertible_to<std::size_t>;
                  }) {
        count = range.size();
    }
    return textOfElements(range.begin(), range.end(), count, depth);
}

template <class Tuple>
std::string textOfTuple(const Tuple& tuple, int depth) {
    std::string text;
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        using std::get;
        ((text += (Index != 0 ? ", " : "") + nestedTextOf(get<Index>(tuple), depth)), ...);
    }
    (std::make_index_sequence<std::tuple_size<Tuple>::value>());
    return "(" + text + ")";
}

template <class TimePoint>
std::string textOfTimePoint(const TimePoint& time, int depth) {
    const auto since = time.time_since_epoch();
    using Duration = std::remove_const_t<decltype(since)>;
    // The clock's own unit is asked for: to_time_t() takes no finer one.
    constexpr bool isOfCalendar = requires(const typename TimePoint::clock::time_point& moment) { TimePoint::clock::to_time_t(moment); };
    if constexpr (isOfCalendar && std::is_integral_v<typename Duration::rep>) {
        return textOfTime(since.count(), Duration::period::num, Duration::period::den);
    } else {
        return nestedTextOf(since, depth) + " on its clock";
    }
}

template <class T>
std::string textOfPointerLike(const T& value) {
    if constexpr (std::is_member_pointer_v<T>) {
        return value == nullptr ? "nullptr" : "pointer to member";
    } else if constexpr (std::is_function_v<std::remove_pointer_t<T>>) {
        const auto pointer = static_cast<std::add_pointer_t<std::remove_pointer_t<T>>>(value);
        return textOfPointer(reinterpret_cast<const void*>(pointer));
    } else {
        return textOfPointer(value);
    }
}

template <class T>
std::string textOfText(const T& value) {
    if constexpr (std::is_pointer_v<T>) {
        if (value == nullptr) return "nullptr";
    }
    return textOfString(heldText(value));
}

template <class T>
std::string textOfNumber(T value) {
    if constexpr (std::is_same_v<T, bool>) {
        return textOfBool(value);
    } else if constexpr (std::is_same_v<T, char>) {
        return textOfCharacter(value);
    } else if constexpr (std::is_floating_point_v<T>) {
        return textOfFloat(static_cast<double>(value));
    } else if constexpr (std::is_signed_v<T>) {
        return textOfInteger(value);
    } else {
        return textOfUnsigned(value);
    }
}

/// Whether values of the type have a text that is the same on every rank. Addresses are not.
template <class T>
consteval bool hasFieldText();
template <class T, std::size_t... I>
consteval bool haveFieldTexts(std::index_sequence<I...>) {
    return (hasFieldText<std::tuple_element_t<I, T>>() && ...);
}
template <template <class...> class Variant, class... Values>
consteval bool haveValuesText(const Variant<Values...>*) {
    return (hasFieldText<Values>() && ...);
}
template <class T>
consteval bool hasFieldText() {
    if constexpr (std::is_reference_v<T> || std::is_const_v<T> || std::is_volatile_v<T>)
        return hasFieldText<std::remove_cvref_t<T>>();
    else if constexpr (std::is_array_v<T>)
        return hasFieldText<std::remove_extent_t<T>>();
    else if constexpr (IsNumber<T> || std::is_enum_v<T>)
        return true;
    else if constexpr (!std::is_class_v<T> || IsSmartPointer<T>)
        return false;
    else if constexpr (IsString<T> || IsPath<T> || IsDuration<T> || IsTimePoint<T> || HasFormatter<T> || HasStreamOperator<T>)
        return true;
    else if constexpr (IsOptional<T>)
        return hasFieldText<decltype(*std::declval<const T&>())>();
    else if constexpr (IsVariant<T>)
        return haveValuesText(static_cast<const T*>(nullptr));
    else if constexpr (HasElements<T>)
        return hasFieldText<decltype(*std::declval<const T&>().begin())>();
    else if constexpr (IsTuple<T>)
        return haveFieldTexts<T>(std::make_index_sequence<std::tuple_size<T>::value>());
    else
        return FieldAccess::hasFields<T>();
}

/// The text of a class with FERRY_FIELDS, such as {row = 3, place = "A1"}.
template <class T>
std::string textOfFields(const T& object, int depth) {
    std::string text;
    FieldAccess::visit(object, [&](const auto&... fields) {
        std::size_t index = 0;
        const auto add = [&](const auto& field) {
            using Field = std::remove_cvref_t<decltype(field)>;
            const std::string_view name = fieldName(FieldAccess::names<T>(), index++);
            if constexpr (!isFieldProxy<Field> && hasFieldText<Field>()) {
                text += text.empty() ? "" : ", ";
                text.append(name).append(" = ").append(nestedTextOf(field, depth));
            }
        };
        (add(fields), ...);
    });
    return "{" + text + "}";
}

/// The fallback for classes and enums without their own text.
template <class T>
std::string textOfOther([[maybe_unused]] const T& value, [[maybe_unused]] int depth) {
    if constexpr (std::is_enum_v<T>) {
        return textOfNumber(static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
        return textOfString(value);
    } else if constexpr (std::is_convertible_v<const T&, std::string>) {
        return textOfString(static_cast<std::string>(value));
    } else if constexpr (HasElements<T>) {
        return textOfRange(value, depth + 1);
    } else if constexpr (std::is_array_v<T>) {
        return textOfElements(std::begin(value), std::end(value), std::extent_v<T>, depth + 1);
    } else if constexpr (requires {
                             { value.get() } -> std::convertible_to<const volatile void*>;
                         }) {
        return textOfPointer(value.get());
    } else if constexpr (std::is_class_v<T>) {
        if constexpr (FieldAccess::hasFields<T>())
            return textOfFields(value, depth + 1);
        else
            return "?";
    } else {
        return "?";
    }
}

template <class T>
std::string nestedTextOf(const T& value, int depth) {
    if (depth > maxTextDepth) return "...";
    if constexpr (std::is_volatile_v<T> && std::is_scalar_v<T>) {
        return nestedTextOf(static_cast<std::remove_volatile_t<T>>(value), depth);
    } else if constexpr (IsNumber<T>) {
        return textOfNumber(value);
    } else if constexpr (std::is_null_pointer_v<T> || std::is_same_v<T, std::nullopt_t>) {
        return std::is_null_pointer_v<T> ? "nullptr" : "nullopt";
    } else if constexpr (IsString<T>) {
        return textOfText(value);
    } else if constexpr (std::is_pointer_v<T> || std::is_member_pointer_v<T> || std::is_function_v<T>) {
        return textOfPointerLike(value);
    } else if constexpr (IsSmartPointer<T>) {
        return textOfPointer(value.get());
    } else if constexpr (IsPath<T>) {
        return textOfString(value.native());
    } else if constexpr (IsDuration<T>) {
        return textOfDuration(nestedTextOf(value.count(), depth), T::period::num, T::period::den);
    } else if constexpr (IsTimePoint<T>) {
        return textOfTimePoint(value, depth);
    } else if constexpr (!std::is_array_v<T> && HasFormatter<T>) {
        return textOfFormatted(fmt::make_format_args(value));
    } else if constexpr (!std::is_array_v<T> && HasStreamOperator<T>) {
        const void* place = &reinterpret_cast<const char&>(value);    // T may have an operator& of its own
        return textOfStreamed(place, [](std::ostream& out, const void* streamed) { out << *static_cast<const T*>(streamed); });
    } else if constexpr (IsOptional<T>) {
        return value.has_value() ? nestedTextOf(*value, depth + 1) : "nullopt";
    } else if constexpr (IsVariant<T>) {
        if (value.valueless_by_exception()) return "valueless";
        return visit([depth](const auto& held) { return nestedTextOf(held, depth + 1); }, value);
    } else if constexpr (IsTuple<T> && !HasElements<T>) {
        return textOfTuple(value, depth + 1);
    } else {
        return textOfOther(value, depth);
    }
}

/// Never fails because of the value. If the conversion throws, the text says so.
template <class T>
std::string textOf(const T& value) {
    try {
        return nestedTextOf(value, 0);
    } catch (...) {
        return textOfThrowing();
    }
}

}    // namespace ferry::detail
