#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/KeyOrder.hpp>
#include <ferry/serialization/ints/SoleOwner.hpp>
#include <ferry/serialization/reference/PointeeType.hpp>
#include <ferry/serialization/reference/ReceivedObjects.hpp>

namespace ferry::detail {

/// Makes each object of a graph when the first pointer to it is read. Reads the contents later, in the same order. The counterpart of
/// ReferenceWriter. Safe on any input.
///
/// Ownership: owns the objects until they are taken.
/// Errors: SerializationError for input that no writer produces: pointers to objects of another type, two owners of one object.
class ReferenceReader {
public:
    /// viewed: the objects of its class travel by it; null: all objects travel whole.
    explicit ReferenceReader(GraphMemory memory, const PointeeType* viewed = nullptr)
        : objects_(SoleOwner<ReceivedObjects>::make(memory)),
          viewed_(viewed) {}
    ReferenceReader(const ReferenceReader&) = delete;
    ReferenceReader& operator=(const ReferenceReader&) = delete;

    template <class T>
    T* read(IntReader& in) {
        const std::int32_t number = in.peekInt();
        if (number > 0 && static_cast<std::uint32_t>(number) <= objects_->count()) [[likely]] {
            T* object = knownAs<T>(in, number);
            in.take(1);
            return object;
        }
        return readUnusual<T>(in, number);
    }

    /// Reads `count` pointers, one after the other.
    template <class T>
    void readAll(IntReader& in, T** targets, std::size_t count);

    template <class T>
    std::unique_ptr<T> readUnique(IntReader& in);
    /// Also reads weak_ptr.
    template <class T>
    std::shared_ptr<T> readShared(IntReader& in);

    /// Adds elements that lie side by side and keep their addresses. From now on, pointers may point to them.
    template <class T>
    void addPointees(T* first, std::size_t count) {
        if (!isPointee<T> || count == 0) return;
        vectors_.push_back({first, count, sizeof(T), &pointeeTypeOf<T>(), [](void* elements, std::size_t index) -> void* {
                                return const_cast<void*>(pointeeAddress(static_cast<T*>(elements) + index));
                            }});
    }

    /// Reads an array behind a pointer. elementCount: its number of elements.
    template <class T>
    T* readArray(IntReader& in, std::size_t elementCount);
    /// Reads an array that a pointer of the object owns from now on (ferry::ownedArray). Such an array is made with new[], in arenas too.
    template <class T>
    T* readOwnedArray(IntReader& in, std::size_t elementCount);

    /// The graph gets objects back whose owners give up, because reading has failed. addresses: get another order.
    void takeBack(const void** addresses, std::size_t count) noexcept { objects_->takeBack(addresses, count); }

    bool hasUnread() const noexcept { return nextUnread_ < objects_->count(); }
    /// Reads the contents of the next object.
    void readNext(IntReader& in);

    /// To be called at the beginning of each piece of a graph. intsBehind: the number of ints that may follow in other pieces. Objects are
    /// made only if their contents can be in the remaining ints.
    void beginPiece(const IntReader& in, std::uint64_t intsBehind) noexcept {
        pieceEnd_ = in.cursor() + in.remaining();
        intsBehind_ = intsBehind;
    }

    SoleOwner<ReceivedObjects> takeObjects() noexcept { return std::move(objects_); }

private:
    using Owner = ReceivedObjects::Owner;

    struct Vector {
        void* first;
        std::size_t count;
        std::size_t elementBytes;
        const PointeeType* type;
        void* (*elementAt)(void* first, std::size_t index);
    };

    /// An object of a graph, or an element of one of its vectors.
    struct Place {
        void* address;
        const PointeeType* type;
    };
    /// An element of a vector or the vector's end. The end is given as the first element and a distance, because no object is at the end.
    struct Element {
        Place place;
        std::size_t bytesBehind;
    };

    template <class T>
    T* castTo(IntReader& in, const Place& place) {
        if (place.type == &pointeeTypeOf<T>() || *place.type->type == *pointeeTypeOf<T>().type) [[likely]] {
            if constexpr (isObject<T>)
                return in.factory().castTo<T>(*static_cast<IntSerializableObject*>(place.address));
            else
                return static_cast<T*>(place.address);
        }
        failWrongType(in, typeid(T), *place.type->type);
    }
    template <class T>
    T* knownAs(IntReader& in, std::int32_t number) {
        const ReceivedObjects::Object& object = objects_->at(static_cast<std::uint32_t>(number));
        return castTo<T>(in, {object.address, object.type});
    }

    template <class T>
    [[gnu::noinline]] T* readUnusual(IntReader& in, std::int32_t number);
    template <class T>
    T* make(IntReader& in);
    template <class T>
    T* castElement(IntReader& in, const Place& element);
    template <class T>
    T* castElementOrEnd(IntReader& in, const Element& element);
    Element readElement(IntReader& in, std::int32_t number);
    /// How the contents of a new object travel.
    template <class T>
    const PointeeType& typeToMake() const noexcept {
        return viewed_ != nullptr && *viewed_->type == typeid(T) ? *viewed_ : pointeeType<T>;
    }
    /// Moves past the number of a new object. Errors: SerializationError if it is not the next number.
    void takeNewNumber(IntReader& in, std::int32_t number);
    /// To be called before an object is made. Checks that its contents can follow.
    void promise(IntReader& in, const PointeeType& type, std::size_t count);
    std::uint32_t requireOwnable(IntReader& in, std::int32_t number);
    /// Notes that a pointer of the object that is being read owns this object. known: its number if it was there before, otherwise 0.
    void giveToOwner(IntReader& in, std::int32_t number, std::uint32_t known);
    /// Skipped fields of a newer version may have contained objects and vectors. This reader has not counted them.
    void requireNothingSkipped(IntReader& in) const;
    [[noreturn]] static void failWrongType(IntReader& in, const std::type_info& expected, const std::type_info& found);
    [[noreturn]] static void failArrayLength(IntReader& in, std::size_t expected, std::size_t found);
    [[noreturn]] static void failNullArray(IntReader& in, std::size_t expected);

    SoleOwner<ReceivedObjects> objects_;
    const PointeeType* const viewed_;
    std::vector<Vector> vectors_;
    std::uint32_t nextUnread_ = 0;      // the next object's number - 1
    bool hasSkipped_ = false;           // true: an object read so far had skipped fields
    std::uint64_t promisedInts_ = 0;    // least number of ints of the contents of all unread objects
    const std::int32_t* pieceEnd_ = nullptr;
    std::uint64_t intsBehind_ = 0;
};

template <class T>
T* ReferenceReader::make(IntReader& in) {
    if constexpr (isObject<T>) {
        const ClassInfo& info = in.factory().requireDerived<T>(in.readInt());
        in.charge(1, info.objectBytes);
        if (isRoomyObject(info.objectBytes)) in.chargeRoomy(1, info.objectBytes);
        return in.factory().castTo<T>(*objects_->make(info));
    } else {
        static_assert(std::is_default_constructible_v<T>, "ferry: an object behind a pointer needs a default constructor to be read");
        requireMadeReady<T>();
        const PointeeType& type = typeToMake<T>();
        promise(in, type, 1);
        return objects_->make<T>(type);
    }
}

/// Only the element itself can tell its class.
template <class T>
T* ReferenceReader::castElement(IntReader& in, const Place& element) {
    if constexpr (isObject<T>) {
        if (element.type == &objectPointee) {
            if (T* object = dynamic_cast<T*>(static_cast<IntSerializableObject*>(element.address))) return object;
        }
        failWrongType(in, typeid(T), *element.type->type);
    } else {
        return castTo<T>(in, element);
    }
}

template <class T>
T* ReferenceReader::castElementOrEnd(IntReader& in, const Element& element) {
    T* const found = castElement<T>(in, element.place);
    return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(found) + element.bytesBehind);
}

template <class T>
T* ReferenceReader::readUnusual(IntReader& in, std::int32_t number) {
    if (number == 0) {
        in.take(1);
        return nullptr;
    }
    const std::size_t start = in.position();
    try {
        if (number < 0) return castElementOrEnd<T>(in, readElement(in, number));
        takeNewNumber(in, number);
        return make<T>(in);
    } catch (...) {
        rethrowFromOffset(start);
    }
}

template <class T>
void ReferenceReader::readAll(IntReader& in, T** targets, std::size_t count) {
    if constexpr (isObject<T>) {
        for (std::size_t i = 0; i < count; ++i) targets[i] = read<T>(in);
    } else {
        const std::int32_t* cursor = in.cursor();
        const ReceivedObjects::Object* known = objects_->all();
        std::uint32_t knownCount = objects_->count();
        for (std::size_t i = 0; i < count; ++i) {
            // The number minus 1, so that null and elements become large numbers.
            const std::uint32_t place = in.remainingAt(cursor) != 0 ? static_cast<std::uint32_t>(*cursor) - 1 : knownCount;
            if (place < knownCount && known[place].type == &pointeeType<T>) [[likely]] {
                targets[i] = static_cast<T*>(known[place].address);
                ++cursor;
                continue;
            }
            in.moveTo(cursor);
            targets[i] = read<T>(in);
            cursor = in.cursor();
            known = objects_->all();
            knownCount = objects_->count();
        }
        in.moveTo(cursor);
    }
}

template <class T>
std::unique_ptr<T> ReferenceReader::readUnique(IntReader& in) {
    const std::int32_t number = in.peekInt();
    if (number == 0) {
        in.take(1);
        return nullptr;
    }
    const std::uint32_t known = requireOwnable(in, number);
    T* object = read<T>(in);
    giveToOwner(in, number, known);
    return std::unique_ptr<T>(object);
}

template <class T>
std::shared_ptr<T> ReferenceReader::readShared(IntReader& in) {
    const std::int32_t number = in.peekInt();
    if (number == 0) {
        in.take(1);
        return nullptr;
    }
    const std::uint32_t known = requireOwnable(in, number);
    if constexpr (!isObject<T>) {
        if (known == 0) {
            takeNewNumber(in, number);
            const PointeeType& type = typeToMake<T>();
            promise(in, type, 1);
            auto made = std::make_shared<T>();
            objects_->addShared(made, made.get(), type);
            return made;
        }
    }
    T* object = read<T>(in);
    switch (objects_->ownerOf(static_cast<std::uint32_t>(number))) {
        case Owner::Shared: return {objects_->shareOf(static_cast<std::uint32_t>(number)), object};
        case Owner::Unique:
            in.rewind(in.position() - 1);
            in.fail("an object that nobody owns yet", "an object that a unique_ptr or ferry::owned owns");
        case Owner::Graph: break;
    }
    return objects_->giveToShared(static_cast<std::uint32_t>(number), object);
}

template <class T>
T* ReferenceReader::readArray(IntReader& in, std::size_t elementCount) {
    const std::int32_t number = in.peekInt();
    if (number == 0) {
        in.take(1);
        return nullptr;
    }
    if (number > 0 && static_cast<std::uint32_t>(number) <= objects_->count()) {
        const ReceivedObjects::Object& object = objects_->at(static_cast<std::uint32_t>(number));
        if (*object.type->type != typeid(T[])) failWrongType(in, typeid(T[]), *object.type->type);
        const std::size_t known = objects_->elementCountOf(static_cast<std::uint32_t>(number));
        if (known != elementCount) failArrayLength(in, known, elementCount);
        in.take(1);
        return static_cast<T*>(object.address);
    }
    takeNewNumber(in, number);
    if (elementCount == 0) in.fail("an array with elements", "one of none");
    if constexpr (Bulk<T>) {
        in.requirePacked(elementCount, sizeof(T) * 8);
        in.chargePacked(elementCount, sizeof(T));
    } else {
        promise(in, arrayPointee<T>, elementCount);
    }
    T* first = objects_->makeArray<T>(elementCount);
    addPointees(first, elementCount);
    if constexpr (Bulk<T>) in.readBytes<grainBytes<T>>(first, elementCount * sizeof(T));
    return first;
}

template <class T>
T* ReferenceReader::readOwnedArray(IntReader& in, std::size_t elementCount) {
    const std::int32_t number = in.peekInt();
    if (number == 0 && elementCount != 0) failNullArray(in, elementCount);
    const bool isKnown = number > 0 && static_cast<std::uint32_t>(number) <= objects_->count();
    T* first = readArray<T>(in, elementCount);
    if (first != nullptr) giveToOwner(in, number, isKnown ? static_cast<std::uint32_t>(number) : 0);
    return first;
}

}    // namespace ferry::detail
