#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <ferry/connector/message/letter/ValueKey.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/codec/Strided.hpp>

// Sequences whose elements lie side by side meet each other: what one rank sends as a span, another receives into a vector.

namespace ferry::detail {

/// The sequence type that stands for all contiguous sequences of one element type. A std::vector<bool> has no bools side by side.
template <class Element>
using SequenceOf = std::conditional_t<std::is_same_v<Element, char>, std::string,
                                      std::conditional_t<std::is_same_v<Element, bool>, std::span<bool>, std::vector<Element>>>;

/// Whether T is a container with contiguous elements that travels as all such containers do.
template <class T>
consteval bool isContiguousSequence() {
    if constexpr (codecKind<T> == CodecKind::Sequence) {
        if constexpr (Contiguous<T> && std::is_base_of_v<CursorCodec<T>, Codec<T>>) return !std::is_pointer_v<typename T::value_type>;
    }
    return false;
}

/// The type under which values of type T are known in collectives: one for all vectors, and all strings, of one element type.
template <class T>
struct ValueForm {
    using Type = T;
};
template <class T>
    requires(isContiguousSequence<T>())
struct ValueForm<T> {
    using Type = SequenceOf<typename ValueForm<typename T::value_type>::Type>;
};

/// The type under which values of type T meet receivers: ValueForm, and one for spans and arrays besides.
template <class T>
struct MessageForm : ValueForm<T> {};
template <class T, std::size_t Extent>
struct MessageForm<std::span<T, Extent>> {
    using Type = SequenceOf<typename ValueForm<std::remove_const_t<T>>::Type>;
};
template <class T, std::size_t levelCount>
struct MessageForm<Strided<T, levelCount>> : MessageForm<std::span<T>> {};
template <class T, std::size_t Count>
struct MessageForm<std::array<T, Count>> : MessageForm<std::span<T>> {};
template <class T, std::size_t Count>
struct MessageForm<T[Count]> : MessageForm<std::span<T>> {};
template <class Character, class Traits>
struct MessageForm<std::basic_string_view<Character, Traits>> : MessageForm<std::span<Character>> {};

/// The key of messages that hold a T.
template <class T>
inline constexpr std::int32_t messageKey = valueKey<typename MessageForm<T>::Type>;

/// An array as a message: a span, which travels with its count. Everything else travels as it is.
template <class T>
const T& formOf(const T& value) noexcept {
    return value;
}
template <class T, std::size_t Count>
std::span<const T> formOf(const std::array<T, Count>& values) noexcept {
    return values;
}
template <class T, std::size_t Count>
std::span<const T> formOf(const T (&values)[Count]) noexcept {
    return values;
}

template <class T>
void readForm(IntReader& in, T& value) {
    in >> value;
}
template <class T, std::size_t Count>
void readForm(IntReader& in, std::array<T, Count>& values) {
    std::span<T> elements(values);
    in >> elements;
}
template <class T, std::size_t Count>
void readForm(IntReader& in, T (&values)[Count]) {
    std::span<T> elements(values);
    in >> elements;
}

}    // namespace ferry::detail
