#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <typeinfo>

#include <ferry/connector/message/letter/Arrival.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/message/letter/LetterFilter.hpp>
#include <ferry/connector/message/letter/Message.hpp>
#include <ferry/connector/message/letter/SequenceForm.hpp>
#include <ferry/connector/message/letter/Tag.hpp>
#include <ferry/connector/message/letter/Transportable.hpp>
#include <ferry/connector/message/letter/ValueKey.hpp>
#include <ferry/connector/message/letter/ValueName.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>
#include <ferry/serialization/ints/TypeName.hpp>

namespace ferry::detail {

/// Checks that a T can be received; if not, the compiler says why.
template <class T>
consteval void requireReceivable() {
    requireTransportable<T>();
    requireMovable<T>();
    static_assert(!std::is_base_of_v<Message, T> || HasOwnClassName<T>,
                  "ferry: this message only inherits FERRY_CLASS, so that it would arrive as its base class: add FERRY_CLASS(...) to it");
}

/// The envelope of a message or a value.
template <class T>
Envelope envelopeOf(const T& value, Tag tag) {
    requireNoGraph<T>();
    if constexpr (std::is_base_of_v<Message, T>) {
        requireOwnClassId(value);
        return Envelope{MessageKind::Object, value.classId(), tag.number()};
    } else {
        return Envelope{MessageKind::Value, namedValueKey<typename MessageForm<T>::Type>(), tag.number()};
    }
}

template <class T>
consteval LetterType letterTypeOf() {
    if constexpr (std::is_base_of_v<Message, T>) {
        return {MessageKind::Object, classIdFor<T>};
    } else {
        return {MessageKind::Value, messageKey<T>};
    }
}

template <class T>
std::string inWords() {
    return (std::is_base_of_v<Message, T> ? "a message of class " : "a value of type ") + typeName(typeid(T));
}

template <class T>
Filter filterFor(int from, Tag tag) {
    return Filter({letterTypeOf<T>().kind}, from)
        .withKey(letterTypeOf<T>().key)
        .withNumber(tag.number())
        .describedBy([](const Filter& filter) { return inWords<T>() + originInWords(filter); });
}

/// Whether a T is in the letter.
template <class T>
bool isOf(const Letter& letter) noexcept {
    return letter.envelope.kind == letterTypeOf<T>().kind && letter.envelope.key == letterTypeOf<T>().key;
}

/// A filter for several types; without any type, for messages of all classes.
template <class... Types>
Filter filterForAny(const ReceiveOptions& options) {
    static constexpr std::array<LetterType, sizeof...(Types)> types{letterTypeOf<Types>()...};
    Filter filter = sizeof...(Types) == 0 ? Filter({MessageKind::Object}, options.from)
                                          : Filter({MessageKind::Object, MessageKind::Value}, options.from);
    if (options.tag) filter.withNumber(options.tag->number());
    return filter.withTypes(types).describedBy([](const Filter& described) {
        std::string words;
        ((words += (words.empty() ? "" : " or ") + inWords<Types>()), ...);
        return (words.empty() ? "a message" : words) + originInWords(described);
    });
}

template <class T>
Filter graphFilter(int from) {
    return Filter({MessageKind::Graph}, from).withKey(valueKey<GraphRoot<T>>).describedBy([](const Filter& filter) {
        return "a graph of " + typeName(typeid(T)) + " from " + sourceInWords(filter.from());
    });
}

}    // namespace ferry::detail
