#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/core.h>

// How the values in a failed assertion are shown: short, and "?" for what cannot be shown.

namespace ferry::detail {

std::string textOfBool(bool value);
std::string textOfCharacter(char value);
std::string textOfInteger(long long value);
std::string textOfUnsigned(unsigned long long value);
std::string textOfFloat(double value);
std::string textOfString(std::string_view value);
std::string textOfPointer(const void* value);

template <class T>
std::string textOf(const T& value);

/// The first elements of a container, and how many there are.
template <class Range>
std::string textOfRange(const Range& range) {
    constexpr std::size_t MaxShown = 8;
    std::string text = "[";
    std::size_t count = 0;
    for (const auto& element : range) {
        if (count < MaxShown) text += (count != 0 ? ", " : "") + textOf(element);
        ++count;
    }
    if (count > MaxShown) text += ", ... " + textOfUnsigned(count) + " elements";
    return text + "]";
}

template <class T>
std::string textOf(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
        return textOfBool(value);
    } else if constexpr (std::is_same_v<T, char>) {
        return textOfCharacter(value);
    } else if constexpr (std::is_floating_point_v<T>) {
        return textOfFloat(static_cast<double>(value));
    } else if constexpr (std::is_integral_v<T> && sizeof(T) <= sizeof(long long)) {
        if constexpr (std::is_signed_v<T>)
            return textOfInteger(value);
        else
            return textOfUnsigned(value);
    } else if constexpr (std::is_enum_v<T>) {
        return textOf(static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (std::is_null_pointer_v<T>) {
        return "nullptr";
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
        if constexpr (std::is_pointer_v<T>) {
            if (value == nullptr) return "nullptr";
        }
        return textOfString(value);
    } else if constexpr (std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>) {
        return textOfPointer(value);
    } else if constexpr (fmt::is_formattable<T>::value) {
        return fmt::format("{}", value);
    } else if constexpr (requires {
                             value.begin() != value.end();
                             *value.begin();
                         }) {
        return textOfRange(value);
    } else if constexpr (requires {
                             { value.get() } -> std::convertible_to<const void*>;
                         }) {
        return textOfPointer(value.get());
    } else {
        return "?";
    }
}

}    // namespace ferry::detail
