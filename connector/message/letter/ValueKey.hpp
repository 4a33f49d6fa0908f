#pragma once

#include <cstdint>
#include <string_view>

#include <ferry/serialization/codec/View.hpp>
#include <ferry/serialization/ints/ClassId.hpp>

namespace ferry::detail {

template <class T>
consteval std::int32_t hashOfTypeName() {
    return classIdOf(std::string_view(__PRETTY_FUNCTION__));
}

/// The key of values of type T on the wire. So a value is never read as a value of another type. The key is a hash of the type's name as
/// the compiler spells it: all ranks run one build of a program.
template <class T>
inline constexpr std::int32_t valueKey = detail::hashOfTypeName<T>();

/// A part of a const object has the same key as a part of an object that may change.
template <class ViewOfObject, class T>
inline constexpr std::int32_t valueKey<Part<ViewOfObject, const T>> = valueKey<Part<ViewOfObject, T>>;

}    // namespace ferry::detail
