#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <variant>

#include <ferry/connector/message/letter/Deadline.hpp>
#include <ferry/connector/message/letter/LetterFilter.hpp>
#include <ferry/connector/message/letter/Message.hpp>
#include <ferry/connector/message/letter/Tag.hpp>

namespace ferry {

/// The messages that MessageCalls::receiveAny accepts.
struct ReceiveOptions {
    int from = AnyRank;
    std::optional<Tag> tag{};    ///< none: any tag is accepted
    Deadline deadline = Deadline::never();
};

/// A received value with its sender and its tag, for receives that accept several senders and tags.
template <class T>
struct Arrival {
    T value;
    int from = AnyRank;
    Tag tag;
};

namespace detail {

template <class... Types>
struct TypeOfAny {
    using Type = std::variant<Types...>;
};
template <class T>
struct TypeOfAny<T> {
    using Type = T;
};
template <>
struct TypeOfAny<> {
    using Type = std::unique_ptr<Message>;
};

/// The type of a received value. One type gives that type, several types give a std::variant. No type gives a std::unique_ptr to a message
/// of any class.
template <class... Types>
using AnyOf = typename detail::TypeOfAny<Types...>::Type;

}    // namespace detail

}    // namespace ferry
