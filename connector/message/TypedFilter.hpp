#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <typeinfo>

#include <ferry/connector/message/Envelope.hpp>
#include <ferry/connector/message/LetterQueue.hpp>
#include <ferry/connector/message/Message.hpp>
#include <ferry/connector/message/ValueKey.hpp>
#include <ferry/serialization/ObjectFactory.hpp>
#include <ferry/serialization/TypeName.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>

namespace ferry::detail {

/// The envelope of a message or a value.
template <class T>
Envelope envelopeOf(const T& value) {
    requireNoGraph<T>();
    if constexpr (std::is_base_of_v<Message, T>) {
        requireOwnClassId(value);
        return Envelope{MessageKind::Object, value.classId(), 0};
    } else {
        return Envelope{MessageKind::Value, valueKey<T>, 0};
    }
}

template <class T>
Filter filterFor(int from) {
    if constexpr (std::is_base_of_v<Message, T>) {
        return Filter({MessageKind::Object}, from).withKey(classIdFor<T>).describedBy([](const Filter& filter) {
            return "a message of class " + typeName(typeid(T)) + " from " + sourceInWords(filter.from());
        });
    } else {
        return Filter({MessageKind::Value}, from).withKey(valueKey<T>).describedBy([](const Filter& filter) {
            return "a value of type " + typeName(typeid(T)) + " from " + sourceInWords(filter.from());
        });
    }
}

template <class T>
Filter graphFilter(int from) {
    return Filter({MessageKind::Graph}, from).withKey(valueKey<GraphRoot<T>>).describedBy([](const Filter& filter) {
        return "a graph of " + typeName(typeid(T)) + " from " + sourceInWords(filter.from());
    });
}

}    // namespace ferry::detail
