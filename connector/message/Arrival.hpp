#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <variant>

#include <ferry/connector/message/Deadline.hpp>
#include <ferry/connector/message/LetterQueue.hpp>
#include <ferry/connector/message/Message.hpp>
#include <ferry/connector/message/Tag.hpp>

namespace ferry {

/// The messages that MessageCalls::receiveAny takes.
struct ReceiveOptions {
    int from = AnyRank;
    std::optional<Tag> tag{};    ///< without one: whatever tag it has
    Deadline deadline = Deadline::never();
};

/// A value that may have come from several ranks, with several tags.
template <class T>
struct Arrival {
    T value;
    int from = AnyRank;
    Tag tag;
};

namespace detail {

template <class... Types>
struct AnyOf {
    using Type = std::variant<Types...>;
};
template <class T>
struct AnyOf<T> {
    using Type = T;
};
template <>
struct AnyOf<> {
    using Type = std::unique_ptr<Message>;
};

}    // namespace detail

/// The type in which one of these types arrives: the one type, a variant of several, or a message of any class when there is none.
template <class... Types>
using AnyOf = typename detail::AnyOf<Types...>::Type;

}    // namespace ferry
