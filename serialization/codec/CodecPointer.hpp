#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <ferry/serialization/codec/CodecRawPointer.hpp>
#include <ferry/serialization/ints/CodecTraits.hpp>
#include <ferry/serialization/ints/KeyOrder.hpp>
#include <ferry/serialization/ints/Shares.hpp>
#include <ferry/serialization/reference/ReferenceReader.hpp>
#include <ferry/serialization/reference/ReferenceWriter.hpp>

// Owning pointers. An object of the class hierarchy travels as its class ID (0: null), then its contents. The arriving object has the same
// dynamic type. Any other object travels as 0 (null), or as 1 and its contents. A shared object has a number (0: null). A negative number
// announces that the object with this number follows. A positive number names an object that was met before.

namespace ferry {

namespace detail {

inline void writePolymorphic(IntWriter& out, const IntSerializableObject& object) {
    const IntWriter::Nesting nesting(out);
    object.writeWithClassId(out);
}

/// Reads a class ID and an object of this class.
template <class T>
std::unique_ptr<T> readPolymorphic(IntReader& in) {
    const std::size_t start = in.position();
    try {
        const IntReader::Nesting nesting(in);
        return in.factory().readAs<T>(in.readInt(), in);
    } catch (...) {
        rethrowFromOffset(start);
    }
}

/// Reads a class ID and makes an object of this class. Its contents stay unread.
template <class T>
std::unique_ptr<T> createNext(IntReader& in) {
    const std::size_t start = in.position();
    try {
        const ClassId id = in.readInt();
        const std::size_t bytes = in.factory().requireDerived<T>(id).objectBytes;
        if (isRoomyObject(bytes)) in.chargeRoomy(1, bytes);
        return in.factory().createAs<T>(id);
    } catch (...) {
        rethrowFromOffset(start);
    }
}

inline void readContents(IntReader& in, IntSerializableObject& object) {
    const IntReader::Nesting nesting(in);
    try {
        object.readFromInts(in);
    } catch (...) {
        rethrowFromClass(object.className());
    }
}

template <class T>
const void* addressOf(const T* object) {
    if constexpr (std::is_polymorphic_v<T>)
        return dynamic_cast<const void*>(object);
    else
        return object;
}

enum class Ownership { Shared, Weak };

template <Ownership ownership, class T>
void writeShared(IntWriter& out, const std::shared_ptr<T>& pointer) {
    using Value = std::remove_const_t<T>;
    requirePointee<Value>();
    if (pointer == nullptr) {
        out.writeInt(0);
        return;
    }
    WrittenShares& shares = out.shares();
    const std::type_info& type = isObject<Value> ? typeid(IntSerializableObject) : typeid(Value);
    const auto visit = shares.visit(std::shared_ptr<const void>(pointer, addressOf(pointer.get())), type);
    out.writeInt(visit.isFirst ? -visit.number : visit.number);
    if (!visit.isFirst) {
        if (ownership == Ownership::Shared) shares.noteOwned(out, visit.number, typeid(Value));
        return;
    }
    const OwnerLevels::Begun levels = shares.begin(out);
    if constexpr (isObject<Value>) {
        writePolymorphic(out, *pointer);
    } else {
        const IntWriter::Nesting nesting(out);
        Codec<Value>::write(out, *pointer);
    }
    shares.complete(out, visit.number, levels);
}

/// Returns an object that was met before. Errors: SerializationError if it has an unexpected type, or if an owning reference names an
/// incomplete object.
template <Ownership ownership, class T>
std::shared_ptr<T> knownShare(const IntReader& in, ReadShares& shares, std::int32_t number) {
    const ReadShares::Share& share = shares.at(in, number);
    std::shared_ptr<T> pointer;
    if constexpr (isObject<T>) {
        pointer = std::dynamic_pointer_cast<T>(share.object);
    } else if (share.plainType != nullptr && *share.plainType == typeid(T)) {
        pointer = std::static_pointer_cast<T>(share.plain);
    }
    if (pointer == nullptr) failWrongShare(in, number, typeid(T), share);
    if constexpr (ownership == Ownership::Shared) {
        if (!share.isComplete) in.fail("a shared object that does not own itself", "a shared object that owns itself");
        shares.noteOwned(in, share);
    }
    return pointer;
}

template <class T>
std::shared_ptr<T> readNewShare(IntReader& in, ReadShares& shares, std::int32_t number) {
    std::shared_ptr<T> pointer;
    const OwnerLevels::Begun levels = shares.begin(in);
    if constexpr (isObject<T>) {
        pointer = createNext<T>(in);
        const std::size_t place = shares.add(number, {pointer, nullptr, nullptr, false, 0});
        in.countShare();
        readContents(in, *pointer);
        shares.complete(in, place, levels);
    } else {
        static_assert(std::is_default_constructible_v<T>, "ferry: an object behind a pointer needs a default constructor to be read");
        requireMadeReady<T>();
        if constexpr (isRoomyPointee<T>) in.chargeRoomy(1, sizeof(T));
        const IntReader::Nesting nesting(in);
        pointer = std::make_shared<T>();
        const std::size_t place = shares.add(number, {nullptr, pointer, &typeid(T), false, 0});
        in.countShare();
        Codec<T>::read(in, *pointer);
        shares.complete(in, place, levels);
    }
    return pointer;
}

template <Ownership ownership, class T>
std::shared_ptr<T> readShared(IntReader& in) {
    requirePointee<T>();
    const std::int32_t number = in.peekInt();
    if (number == 0) {
        in.take(1);
        return nullptr;
    }
    ReadShares& shares = in.shares();
    if (number > 0) {
        std::shared_ptr<T> pointer = knownShare<ownership, T>(in, shares, number);
        in.take(1);
        return pointer;
    }
    shares.checkNew(in, number);
    in.take(1);
    return readNewShare<T>(in, shares, -number);
}

}    // namespace detail

template <class T>
struct Codec<std::unique_ptr<T>> {
    using Value = std::remove_const_t<T>;

    static constexpr std::size_t minInts = 1;
    static constexpr bool isWritable = detail::isPointeeWritable<Value>();
    using WritableCheck = detail::PointeeCheck<Value>;

    static void write(IntWriter& out, const std::unique_ptr<T>& pointer) {
        detail::requirePointee<Value>();
        if constexpr (isWritable) {
            if (out.references() != nullptr)
                out.references()->writeUnique(out, pointer);
            else
                writeObject(out, pointer.get());
        }
    }

    /// Writes the object of a pointer that owns it, outside of a graph.
    [[gnu::always_inline]] static void writeObject(IntWriter& out, const T* pointer) {
        if (pointer == nullptr) {
            out.writeInt(0);
        } else if constexpr (detail::isObject<Value>) {
            detail::writePolymorphic(out, *pointer);
        } else {
            const IntWriter::Nesting nesting(out);
            out.writeInt(1);
            Codec<Value>::write(out, *pointer);
        }
    }

    static void read(IntReader& in, std::unique_ptr<T>& pointer) {
        detail::requirePointee<Value>();
        if constexpr (isWritable) readPointer(in, pointer);
    }

private:
    static void readPointer(IntReader& in, std::unique_ptr<T>& pointer) {
        pointer.reset();
        const std::int32_t head = in.peekInt();
        if (in.references() != nullptr) {
            pointer = in.references()->readUnique<Value>(in);
        } else if (head == 0) {
            in.take(1);
        } else if constexpr (detail::isObject<Value>) {
            pointer = detail::readPolymorphic<Value>(in);
        } else {
            if (head != 1) detail::failFlag(in, head);
            in.take(1);
            detail::requireMadeReady<Value>();
            if constexpr (detail::isRoomyPointee<Value>) in.chargeRoomy(1, sizeof(Value));
            const IntReader::Nesting nesting(in);
            auto object = std::make_unique<Value>();
            Codec<Value>::read(in, *object);
            pointer = std::move(object);
        }
    }
};

template <class T>
struct Codec<std::shared_ptr<T>> {
    using Value = std::remove_const_t<T>;

    static constexpr std::size_t minInts = 1;
    static constexpr bool isWritable = detail::isPointeeWritable<Value>();
    using WritableCheck = detail::PointeeCheck<Value>;

    static void write(IntWriter& out, const std::shared_ptr<T>& pointer) {
        detail::requirePointee<Value>();
        if constexpr (isWritable) {
            if (out.references() != nullptr)
                out.references()->writeShared(out, pointer);
            else
                detail::writeShared<detail::Ownership::Shared>(out, pointer);
        }
    }
    static void read(IntReader& in, std::shared_ptr<T>& pointer) {
        detail::requirePointee<Value>();
        pointer.reset();
        if constexpr (isWritable) {
            pointer = in.references() != nullptr ? in.references()->readShared<Value>(in)
                                                 : detail::readShared<detail::Ownership::Shared, Value>(in);
        }
    }
};

/// Travels as its pointer at the moment of writing. A graph that ends writes its objects to find and cut their pointers.
template <class T>
struct Codec<std::atomic<std::shared_ptr<T>>> {
    using Pointer = std::shared_ptr<T>;

    static constexpr std::size_t minInts = 1;
    static constexpr bool isWritable = Codec<Pointer>::isWritable;
    using WritableCheck = typename Codec<Pointer>::WritableCheck;

    static void write(IntWriter& out, const std::atomic<Pointer>& atomic) {
        Pointer pointer = atomic.load();
        const bool isThere = pointer != nullptr;
        Codec<Pointer>::write(out, pointer);
        if (isThere && pointer == nullptr) const_cast<std::atomic<Pointer>&>(atomic).store(nullptr);
    }
    static void read(IntReader& in, std::atomic<Pointer>& atomic) {
        Pointer pointer;
        Codec<Pointer>::read(in, pointer);
        atomic.store(std::move(pointer));
    }
};

/// Travels as null when the object is destroyed. An object that only weak pointers reach travels too. At the receiver, it is destroyed
/// together with the reader.
template <class T>
struct Codec<std::weak_ptr<T>> {
    using Value = std::remove_const_t<T>;

    static constexpr std::size_t minInts = 1;
    static constexpr bool isWritable = detail::isPointeeWritable<Value>();
    using WritableCheck = detail::PointeeCheck<Value>;

    static void write(IntWriter& out, const std::weak_ptr<T>& pointer) {
        detail::requirePointee<Value>();
        if constexpr (isWritable) {
            if (out.references() != nullptr)
                out.references()->writeWeak(out, pointer);
            else
                detail::writeShared<detail::Ownership::Weak>(out, pointer.lock());
        }
    }
    static void read(IntReader& in, std::weak_ptr<T>& pointer) {
        detail::requirePointee<Value>();
        if constexpr (isWritable) {
            pointer = in.references() != nullptr ? in.references()->readShared<Value>(in)
                                                 : detail::readShared<detail::Ownership::Weak, Value>(in);
        }
    }
};

}    // namespace ferry
