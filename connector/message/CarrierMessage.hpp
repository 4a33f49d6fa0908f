#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <ferry/connector/message/Message.hpp>
#include <ferry/serialization/Codec.hpp>

namespace ferry {

/// Carries any number of objects of different classes in one message.
///
/// Ownership: owns its objects until take() hands one out; the others keep their places.
/// Errors: UsageError when a place is out of range, was taken already, or holds an object of another class than asked for.
class CarrierMessage final : public Message {
public:
    FERRY_CLASS_DECLARED(ferry::CarrierMessage)
    FERRY_FIELDS_DECLARED(objects_)

    /// Appends the object, which must not be null.
    void add(std::unique_ptr<IntSerializableObject> object);

    /// The number of places, taken ones included.
    std::size_t size() const noexcept { return objects_.size(); }

    /// Looks at an object without taking it.
    const IntSerializableObject& at(std::size_t place) const;

    /// Hands out the object at a place, which must be a T.
    template <class T>
    std::unique_ptr<T> take(std::size_t place) {
        T* object = dynamic_cast<T*>(&mutableAt(place));
        if (object == nullptr) throwWrongClass(place);
        objects_[place].release();
        return std::unique_ptr<T>(object);
    }

private:
    IntSerializableObject& mutableAt(std::size_t place);
    [[noreturn]] void throwWrongClass(std::size_t place) const;

    std::vector<std::unique_ptr<IntSerializableObject>> objects_;
};

}    // namespace ferry
