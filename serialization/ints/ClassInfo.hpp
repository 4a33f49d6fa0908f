#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <typeinfo>

#include <ferry/serialization/ints/ClassId.hpp>
#include <ferry/serialization/ints/IntSerializableObject.hpp>

namespace ferry::detail {

/// Where a class has FERRY_CLASS.
struct ClassPlace {
    const char* file = nullptr;
    int line = 0;
    const char* unit = nullptr;    ///< the source that the compiler was told to compile
};

/// The properties of one class in an ObjectFactory. The name must live as long as the program.
struct ClassInfo {
    ClassId id = 0;
    std::string_view name;
    const std::type_info* type = nullptr;
    std::size_t objectBytes = 0;
    std::size_t alignment = 0;
    std::unique_ptr<IntSerializableObject> (*create)() = nullptr;
    /// Makes an object in the caller's memory.
    IntSerializableObject* (*createAt)(void* place) = nullptr;
    /// Makes an object and reads its contents.
    std::unique_ptr<IntSerializableObject> (*read)(IntReader& in) = nullptr;
    ClassPlace place{};
};

template <class T>
std::unique_ptr<IntSerializableObject> createObject() {
    return std::make_unique<T>();
}

template <class T>
IntSerializableObject* createObjectAt(void* place) {
    return ::new (place) T();
}

/// Counts the memory of an object against the memory that the message may use. Defined in IntReader.cpp.
void chargeObject(IntReader& in, std::size_t bytes);

/// Whether objects of this many bytes are counted. An object of at most 64 bytes is justified by its class ID alone.
constexpr bool isRoomyObject(std::size_t bytes) noexcept { return bytes > 64; }

/// Makes an object and reads its contents. A single call of the function found by the class ID replaces two calls (make, then read).
template <class T>
std::unique_ptr<IntSerializableObject> readObject(IntReader& in) {
    if constexpr (isRoomyObject(sizeof(T))) chargeObject(in, sizeof(T));
    auto object = std::make_unique<T>();
    if constexpr (requires { object->T::readFromInts(in); }) {
        object->T::readFromInts(in);
    } else {
        static_cast<IntSerializableObject&>(*object).readFromInts(in);    // overridden in the private part of the class
    }
    return object;
}

/// Whether a pointer to one class converts to one of its public bases, by the rules of a catch of the base. Needs no object. Defined in
/// ObjectFactory.cpp.
bool hasPublicBase(const std::type_info& type, const std::type_info& base);

/// Adds the class to ObjectFactory::global(). Defined in ObjectFactory.cpp.
void registerClass(const ClassInfo& info);

/// A variable of this type registers a class before main(), in its constructor.
struct ClassRegistrar {
    explicit ClassRegistrar(void (*registration)()) { registration(); }
};

/// Describes T under another name and ID than its own. For tests; programs use classInfoOf.
template <class T>
ClassInfo classInfoAs(std::string_view name, ClassId id) {
    static_assert(
        std::is_convertible_v<T*, IntSerializableObject*>,
        "FERRY_CLASS: the class must derive from ferry::IntSerializableObject (publicly, once), for instance through ferry::Message");
    static_assert(!std::is_abstract_v<T>,
                  "FERRY_CLASS: the class is abstract: list its fields with FERRY_FIELDS(...), or leave FERRY_CLASS to its subclasses");
    static_assert(std::is_abstract_v<T> || std::is_default_constructible_v<T>,
                  "FERRY_CLASS: the class needs a public default constructor, so that it can be made before its fields are read");
    return {id, name, &typeid(T), sizeof(T), alignof(T), &detail::createObject<T>, &detail::createObjectAt<T>, &detail::readObject<T>, {}};
}

/// The class ID of a class with FERRY_CLASS, known to the compiler.
template <class T>
inline constexpr ClassId classIdFor = classIdOf(T::ferryClassName());

/// Describes a class with FERRY_CLASS.
template <class T>
ClassInfo classInfoOf() {
    ClassInfo info = classInfoAs<T>(T::ferryClassName(), classIdFor<T>);
    if constexpr (requires { T::ferryClassPlace(); }) info.place = T::ferryClassPlace();
    return info;
}

}    // namespace ferry::detail
