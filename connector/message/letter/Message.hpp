#pragma once

#include <concepts>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/ints/IntSerializableObject.hpp>

namespace ferry {

/// Base of everything that a user sends as an object of its own: `class Square : public ferry::Message`.
///
/// A concrete message has FERRY_CLASS, a default constructor, and FERRY_FIELDS (or writeToInts and readFromInts).
class Message : public IntSerializableObject {
public:
    /// The rank that sent this message; -1 for a message that was not received.
    int sender() const noexcept { return sender_; }

    /// Sets the sender. The receiving side calls it.
    void setSender(int rank) noexcept { sender_ = rank; }

private:
    int sender_ = -1;
};

namespace detail {

/// A class of messages that can arrive: FERRY_CLASS of its own (not only of a base class), its fields, and a default constructor.
template <class T>
concept ReceivableMessage = std::derived_from<T, Message> && HasOwnClassName<T> && std::default_initializable<T>;

}    // namespace detail

}    // namespace ferry
