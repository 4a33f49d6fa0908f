#pragma once

#include <string_view>
#include <type_traits>

#include <ferry/serialization/ints/fail.hpp>

namespace ferry::detail {

/// Whether a type is text: a literal, an array of characters, a pointer to text, a class of text.
template <class T>
concept ConvertsToText = std::is_convertible_v<const T&, std::string_view>;

/// The characters of a text. Those of an array end at its first zero, or else with the array.
///
/// Ownership: the view is valid as long as the text. Errors: UsageError for a null pointer.
template <ConvertsToText T>
std::string_view heldText(const T& text) {
    if constexpr (std::is_array_v<T>) {
        const std::string_view all(text, std::extent_v<T>);
        return all.substr(0, all.find('\0'));
    } else {
        if constexpr (std::is_pointer_v<T>) {
            if (text == nullptr) failUsage("a null pointer stands for a text");
        }
        return text;
    }
}

}    // namespace ferry::detail
