#pragma once

#include <string_view>
#include <type_traits>

#include <ferry/serialization/ints/CodecTraits.hpp>
#include <ferry/serialization/ints/HeldText.hpp>

namespace ferry::detail {

template <class T>
consteval bool findTravelsAsText() {
    if constexpr (!ConvertsToText<T>)
        return false;
    else if constexpr (!std::is_class_v<T> || std::is_same_v<T, std::string_view> || codecKind<T> == CodecKind::Sequence)
        return true;
    else
        return !Writable<T>;
}

/// Whether a type is text and nothing else. A class of the program that can be written has fields of its own besides.
template <class T>
concept TravelsAsText = findTravelsAsText<T>();

}    // namespace ferry::detail
