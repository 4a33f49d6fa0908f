#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/checkpoint/CheckpointReader.hpp>
#include <ferry/serialization/checkpoint/TypeText.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UnknownClass.hpp>
#include <ferry/serialization/file/FileError.hpp>
#include <ferry/serialization/file/PathName.hpp>
#include <ferry/serialization/ints/HeldText.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>
#include <ferry/serialization/ints/TravelsAsText.hpp>
#include <ferry/serialization/ints/TypeName.hpp>

namespace ferry {

class CheckpointWriter;

namespace detail {

template <class T>
inline constexpr bool isObjectPointer = false;
template <class T>
inline constexpr bool isObjectPointer<std::unique_ptr<T>> = isObject<std::remove_const_t<T>>;

template <class T>
inline constexpr bool isPart = false;
template <class ViewOfObject, class T>
inline constexpr bool isPart<Part<ViewOfObject, T>> = true;

/// Whether a type is text, for example a literal, but neither std::string nor std::string_view.
template <class T>
inline constexpr bool isHeldText = TravelsAsText<T> && !std::is_same_v<T, std::string> && !std::is_same_v<T, std::string_view>;

/// Cuts the ints into chunks of mostInts ints, and calls put(segments, isEnd) for each of them. The last chunk may be shorter or empty. put
/// may change the segments, and borrows them.
void forChunks(const IntBuffer& ints, std::size_t mostInts, const std::function<void(std::vector<IntBuffer::Segment>&, bool)>& put);
/// Writes the ints in chunks of mostInts ints. The last chunk may be shorter or empty.
void putInChunks(CheckpointWriter& file, const IntBuffer& ints, std::size_t mostInts, bool isLast);
/// Writes all ints to a file of this description.
void saveInts(const PathName& path, const FileDescription& description, const IntBuffer& ints);
void saveObject(const PathName& path, const IntSerializableObject* object);
/// Writes the class ID and the contents of the object, which the ints borrow. Returns the wire name of its class; empty for null.
std::string packObjectInts(IntBuffer& ints, const IntSerializableObject* object);

/// Reads all ints of the file.
IntBuffer loadInts(CheckpointReader& file);
/// To be called in a handler. Adds the file's path to an error about its contents, and the name of a missing class.
[[noreturn]] void rethrowFromFile(const CheckpointReader& file);

/// Reads the file into an object of the class in its description. object: null for a file of a null pointer.
void loadContents(CheckpointReader& file, const ObjectFactory& factory, IntSerializableObject* object);

/// Reads the ints of an object. file: for errors.
void readObjectInts(const CheckpointReader& file, const ObjectFactory& factory, const IntBuffer& ints, IntSerializableObject* object);

template <class T>
void loadObjectInto(CheckpointReader& file, const ObjectFactory& factory, T& object) {
    static_assert(HasOwnClassName<T>,
                  "ferry::load: an object of a class without FERRY_CLASS; load a std::unique_ptr to it for an object of a derived class");
    file.require(FileKind::Object, T::ferryClassName());
    loadContents(file, factory, std::addressof(object));
}
/// To be called where an object is made and returned.
template <class T>
consteval void requireReturnable() {
    static_assert(std::is_default_constructible_v<T> && std::is_move_constructible_v<T>,
                  "ferry: load makes an object and returns it, so its class (see T) needs a default constructor and must be movable: load "
                  "into an object that is there, by ferry::loadInto(path, object)");
}

template <class T>
T loadObject(CheckpointReader& file, const ObjectFactory& factory) {
    requireReturnable<T>();
    T object{};
    loadObjectInto(file, factory, object);
    return object;
}

template <class Base>
std::unique_ptr<Base> loadObjectPointer(CheckpointReader& file, const ObjectFactory& factory) {
    const FileDescription& description = file.description();
    const auto fail = [&file] { file.failOtherType("an object of a class derived from " + typeName(typeid(Base))); };
    if (description.kind != FileKind::Object) fail();
    std::unique_ptr<std::remove_const_t<Base>> object;
    try {
        if (!description.type.empty()) object = factory.createAs<std::remove_const_t<Base>>(classIdOf(description.type));
    } catch (const UnknownClass&) {
        rethrowFromFile(file);
    } catch (const SerializationError&) {
        fail();    // the class is known, but does not derive from Base
    }
    loadContents(file, factory, object.get());
    return object;
}

template <class T>
void loadValueInto(CheckpointReader& file, const ObjectFactory& factory, T& value) {
    file.require(FileKind::Value, typeTextOf<T>());
    const IntBuffer ints = loadInts(file);
    try {
        IntReader in(ints.ints(), factory);
        in >> value;
        in.expectEnd();
    } catch (...) {
        rethrowFromFile(file);
    }
}
template <class T>
T loadValue(CheckpointReader& file, const ObjectFactory& factory) {
    requireMadeReady<T>();
    requireReturnable<T>();
    T value{};
    loadValueInto(file, factory, value);
    return value;
}

}    // namespace detail

/// Saves a value, an object, a part of one (ferry::part), or the object behind a std::unique_ptr, with everything that belongs to it. At
/// any time, even after a crash, the path names the whole old file or the whole new one. When save() returns, the new file is on the disk.
/// Errors: FileError (CannotWrite); UsageError for values that cannot travel.
template <class T>
void save(const detail::PathName& path, const T& value) {
    if constexpr (detail::isObjectPointer<T>) {
        detail::saveObject(path, value.get());
    } else if constexpr (detail::isObject<T>) {
        detail::saveObject(path, std::addressof(value));
    } else if constexpr (detail::isHeldText<T>) {
        save(path, detail::heldText(value));    // text is always loaded as std::string
    } else {
        static_assert(!detail::findGraphOnly<T>(),
                      "ferry::save: this type (see T in the lines near this one) holds raw pointers, which travel only inside a graph: "
                      "save the structure with ferry::saveGraph(path, root)");
        static_assert(std::is_default_constructible_v<T> || detail::isPart<T>,
                      "ferry::save: an object of a class without a default constructor cannot be loaded again");
        IntBuffer ints;
        IntWriter out(ints);
        out.lend(value);
        out.requireReadable();
        out.finish();
        detail::saveInts(path, FileDescription::of(FileKind::Value, detail::typeTextOf<T>()), ints);
    }
}

/// Loads a saved file. An object is loaded as its own class: load<Room>() for a Room. load<std::unique_ptr<Shape>>() loads an object of any
/// class derived from Shape. A value may be loaded as another type, if that type has the same stream (typeTextOf).
/// Errors: FileError, which names the problem of the file; SerializationError for an undamaged file whose contents the type does not
///         accept; UnknownClass, with the name, when the program lacks a class of the file.
template <class T>
T load(const detail::PathName& path, const ObjectFactory& factory = ObjectFactory::global()) {
    CheckpointReader file(path);
    if constexpr (detail::isObjectPointer<T>) {
        return detail::loadObjectPointer<typename T::element_type>(file, factory);
    } else if constexpr (detail::isObject<T>) {
        return detail::loadObject<T>(file, factory);
    } else {
        return detail::loadValue<T>(file, factory);
    }
}

/// Loads a saved file into an object that is there, here a part of one: loadInto(path, ferry::part<View>(object)). The other members stay.
/// Otherwise like the next function.
template <class ViewOfObject, class T>
void loadInto(const detail::PathName& path, detail::Part<ViewOfObject, T> target, const ObjectFactory& factory = ObjectFactory::global()) {
    CheckpointReader file(path);
    detail::loadValueInto(file, factory, target);
}

/// Loads a saved file into a value or object that is there. Otherwise like load(). Also for a class that can be neither copied nor moved.
/// Errors: as of load(). After an error in the contents the object holds a part of them.
template <class T>
void loadInto(const detail::PathName& path, T& target, const ObjectFactory& factory = ObjectFactory::global()) {
    if constexpr (detail::isObjectPointer<T>) {
        target = load<T>(path, factory);
    } else {
        CheckpointReader file(path);
        if constexpr (detail::isObject<T>) {
            detail::loadObjectInto(file, factory, target);
        } else {
            detail::loadValueInto(file, factory, target);
        }
    }
}

}    // namespace ferry
