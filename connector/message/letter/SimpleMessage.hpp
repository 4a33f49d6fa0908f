#pragma once

#include <memory>
#include <utility>

#include <ferry/connector/message/letter/Message.hpp>
#include <ferry/serialization/Codec.hpp>

namespace ferry {

/// Carries one object of any serializable class: for a request or a response that needs no message class of its own.
///
/// As a task its reply is a SimpleMessage. A subclass has FERRY_CLASS, FERRY_FIELDS_AFTER(ferry::SimpleMessage, ...) if it adds fields,
/// and a Reply of its own if it is a task with another reply.
class SimpleMessage : public Message {
public:
    FERRY_CLASS_DECLARED(ferry::SimpleMessage)
    FERRY_FIELDS_DECLARED(object_)
    using Reply = SimpleMessage;

    SimpleMessage() = default;
    explicit SimpleMessage(std::unique_ptr<IntSerializableObject> object) : object_(std::move(object)) {}

    const IntSerializableObject* object() const noexcept { return object_.get(); }

    /// The object, if it is a T; null otherwise.
    template <class T>
    const T* objectAs() const noexcept {
        return dynamic_cast<const T*>(object_.get());
    }

    std::unique_ptr<IntSerializableObject> take() noexcept { return std::move(object_); }

private:
    std::unique_ptr<IntSerializableObject> object_;
};

}    // namespace ferry
