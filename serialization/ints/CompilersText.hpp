#pragma once

#include <string_view>

// The name of a type as the compiler spells it.

namespace ferry::detail {

/// The signature has no std::string_view, because its '<' would appear in the text.
template <class T>
consteval const char* compilersText() {
    return __PRETTY_FUNCTION__;
}

template <class T>
consteval std::string_view compilersTextOf() {
    std::string_view text = compilersText<T>();
    text.remove_prefix(text.find("T = ") + 4);
    return text.substr(0, text.find_last_of(']'));
}

}    // namespace ferry::detail
