#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <ferry/connector/message/letter/Message.hpp>
#include <ferry/serialization/Codec.hpp>

namespace ferry {

namespace detail {

/// The number that says what a carrier holds. Without one, nothing travels: docs/wire-format.md.
struct CarrierMeaning {
    void writeToInts(IntWriter& out) const;
    void readFromInts(IntReader& in);

    std::optional<std::int32_t> id;
};

/// The IDs of a carrier's objects, by their places. Without any, nothing travels: docs/wire-format.md.
struct CarriedIds {
    void writeToInts(IntWriter& out) const;
    /// Errors: SerializationError for places that are not in ascending order.
    void readFromInts(IntReader& in);

    std::map<std::int32_t, std::int32_t> ids;
};

/// Whether a T can be the meaning of a carrier: an enumeration or an integer of at most 32 bits.
template <class T>
concept MeaningId = (std::is_enum_v<T> || std::is_integral_v<T>)&&!std::is_same_v<T, bool> && sizeof(T) <= sizeof(std::int32_t);

}    // namespace detail

/// Carries any number of objects of different classes in one message, and an ID that says what they mean: results, control, ...
///
/// The ID is a number or an enumeration of the program. A carrier need not have one. Each object may have an ID as well.
/// As a task its reply is a CarrierMessage. A subclass has FERRY_CLASS, FERRY_FIELDS_AFTER(ferry::CarrierMessage, ...) if it adds fields,
/// and a Reply of its own if it is a task with another reply.
/// Ownership: owns its objects until take() hands one out; the others keep their places.
/// Errors: UsageError when a place is out of range, was taken already, or holds an object of another class than asked for.
class CarrierMessage : public Message {
public:
    FERRY_CLASS_DECLARED(ferry::CarrierMessage)
    FERRY_FIELDS_DECLARED(meaning_, ids_, objects_)
    using Reply = CarrierMessage;

    CarrierMessage() = default;
    template <detail::MeaningId Id>
    explicit CarrierMessage(Id meaning) {
        setMeaning(meaning);
    }

    template <detail::MeaningId Id>
    void setMeaning(Id meaning) noexcept {
        meaning_.id = static_cast<std::int32_t>(meaning);
    }
    bool hasMeaning() const noexcept { return meaning_.id.has_value(); }
    /// Whether the carrier has this meaning. False for a carrier without a meaning.
    template <detail::MeaningId Id>
    bool means(Id meaning) const noexcept {
        return meaning_.id == static_cast<std::int32_t>(meaning);
    }
    /// The meaning as an Id, such as the program's enumeration. Its number may be one that the enumeration does not name.
    /// Errors: UsageError for a carrier without a meaning.
    template <detail::MeaningId Id = std::int32_t>
    Id meaning() const {
        return static_cast<Id>(meaningNumber());
    }

    /// Appends the object, which must not be null.
    void add(std::unique_ptr<IntSerializableObject> object);
    /// Appends the object with an ID of its own, which says what the object is in the program.
    template <detail::MeaningId Id>
    void add(std::unique_ptr<IntSerializableObject> object, Id id) {
        add(std::move(object));
        setLastId(static_cast<std::int32_t>(id));
    }
    /// The ID of the object at a place; none for an object that was added without one. The ID stays when the object is taken.
    template <detail::MeaningId Id = std::int32_t>
    std::optional<Id> idOf(std::size_t place) const {
        const std::optional<std::int32_t> id = idNumberOf(place);
        return id ? std::optional<Id>(static_cast<Id>(*id)) : std::nullopt;
    }
    /// The place of the first object with this ID; none when there is no such object.
    template <detail::MeaningId Id>
    std::optional<std::size_t> placeOf(Id id) const {
        return placeOfNumber(static_cast<std::int32_t>(id));
    }

    /// The number of places, taken ones included.
    std::size_t size() const noexcept { return objects_.size(); }

    /// Looks at an object without taking it.
    const IntSerializableObject& at(std::size_t place) const;
    /// Looks at an object, which must be a T.
    template <class T>
    const T& at(std::size_t place) const {
        const T* object = dynamic_cast<const T*>(&at(place));
        if (object == nullptr) throwWrongClass(place, typeid(T));
        return *object;
    }

    /// Hands out the object at a place, which must be a T.
    template <class T>
    std::unique_ptr<T> take(std::size_t place) {
        T* object = dynamic_cast<T*>(&mutableAt(place));
        if (object == nullptr) throwWrongClass(place, typeid(T));
        objects_[place].release();
        return std::unique_ptr<T>(object);
    }

private:
    void setLastId(std::int32_t id);
    std::int32_t meaningNumber() const;
    std::optional<std::int32_t> idNumberOf(std::size_t place) const;
    std::optional<std::size_t> placeOfNumber(std::int32_t id) const;
    IntSerializableObject& mutableAt(std::size_t place);
    [[noreturn]] void throwWrongClass(std::size_t place, const std::type_info& expected) const;

    detail::CarrierMeaning meaning_;
    detail::CarriedIds ids_;
    std::vector<std::unique_ptr<IntSerializableObject>> objects_;
};

}    // namespace ferry
