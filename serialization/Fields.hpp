#pragma once

#include <cstdint>
#include <memory>

#include <ferry/serialization/Codec.hpp>

namespace ferry::detail {

/// Bodies of the writeToInts and readFromInts that FERRY_FIELDS defines.
template <class T>
void writeFieldsOf(const T& object, IntWriter& out) {
    static_assert(ListedFields<T>::isChecked);
    ListedFields<T>::checkFirst(object);
    const IntWriter::LentFields lent(out, std::addressof(object));
    if constexpr (isObject<T>) noteArraysOf(out, object);
    writeFields(out, object);
}

template <class T>
void readFieldsOf(T& object, IntReader& in) {
    in.moveTo(readFieldsFrom(in.cursor(), in, object));
}

}    // namespace ferry::detail

// The two functions override only in a class derived from IntSerializableObject. In other classes `override` would be an error, so it is
// omitted.
#if defined(__clang__)
#define FERRY_BEGIN_MAYBE_OVERRIDE                                                                    \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wunknown-warning-option\"") \
        _Pragma("clang diagnostic ignored \"-Winconsistent-missing-override\"") _Pragma("clang diagnostic ignored \"-Wsuggest-override\"")
#define FERRY_END_MAYBE_OVERRIDE _Pragma("clang diagnostic pop")
#else
#define FERRY_BEGIN_MAYBE_OVERRIDE _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wsuggest-override\"")
#define FERRY_END_MAYBE_OVERRIDE _Pragma("GCC diagnostic pop")
#endif

#define FERRY_FIELDS_DESCRIPTION(version_, names_, ...)                        \
    friend struct ::ferry::detail::FieldAccess;                                \
    auto ferrySelf() const->decltype(this) { return this; }                    \
    template <class Visitor_>                                                  \
    decltype(auto) ferryVisitFields(Visitor_&& visitor_) const {               \
        return visitor_(__VA_ARGS__);                                          \
    }                                                                          \
    template <class Visitor_>                                                  \
    decltype(auto) ferryVisitFields(Visitor_&& visitor_) {                     \
        return visitor_(__VA_ARGS__);                                          \
    }                                                                          \
    static constexpr const char* ferryFieldNames() noexcept { return names_; } \
    static constexpr ::std::int32_t ferryFieldsVersion() noexcept { return version_; }

#define FERRY_FIELDS_IMPLEMENTATION(version_, names_, ...)                                            \
    FERRY_BEGIN_MAYBE_OVERRIDE                                                                        \
    FERRY_FIELDS_DESCRIPTION(version_, names_, __VA_ARGS__)                                           \
    void writeToInts(::ferry::IntWriter& out_) const { ::ferry::detail::writeFieldsOf(*this, out_); } \
    void readFromInts(::ferry::IntReader& in_) { ::ferry::detail::readFieldsOf(*this, in_); }         \
    FERRY_END_MAYBE_OVERRIDE

/// FERRY_FIELDS(seats, name), in the body of a class, before or after the declarations of the fields. These fields travel, in this order.
/// In a class derived from IntSerializableObject it defines writeToInts and readFromInts. In any other class, objects become usable as
/// fields, elements and parts of messages. FERRY_FIELDS() is for a class without data. Not for classes that are local to a function.
/// A raw pointer whose object the class deletes is listed as ferry::owned(pointer) or ferry::ownedArray(pointer, count).
/// All members are listed. The compiler refuses a list that forgets one, in a class without constructors, private members and virtual
/// functions. In other classes a debug build looks for room that no listed field takes, when it writes the first object.
#define FERRY_FIELDS(...) FERRY_FIELDS_IMPLEMENTATION(0, #__VA_ARGS__, __VA_ARGS__)

/// FERRY_FIELDS_SOME(seats, name): FERRY_FIELDS of a class whose other members are meant to stay behind. An object that is received has
/// them as its default constructor makes them.
#define FERRY_FIELDS_SOME(...)                                  \
    auto ferrySomeSelf() const->decltype(this) { return this; } \
    FERRY_FIELDS_IMPLEMENTATION(0, #__VA_ARGS__, __VA_ARGS__)
/// FERRY_FIELDS_SOME_AFTER(Room, beamer): FERRY_FIELDS_AFTER of a class whose other members are meant to stay behind.
#define FERRY_FIELDS_SOME_AFTER(...)                            \
    auto ferrySomeSelf() const->decltype(this) { return this; } \
    FERRY_FIELDS_AFTER_IMPLEMENTATION(0, #__VA_ARGS__, __VA_ARGS__)
/// FERRY_FIELDS_SOME_VERSIONED(2, seats, name): FERRY_FIELDS_VERSIONED of such a class.
#define FERRY_FIELDS_SOME_VERSIONED(version_, ...)              \
    auto ferrySomeSelf() const->decltype(this) { return this; } \
    FERRY_FIELDS_VERSIONED(version_, __VA_ARGS__)

/// FERRY_FIELDS in two parts, like FERRY_CLASS_DECLARED and FERRY_CLASS_DEFINED, for a class that many sources include.
#define FERRY_FIELDS_DECLARED(...)                         \
    FERRY_BEGIN_MAYBE_OVERRIDE                             \
    FERRY_FIELDS_DESCRIPTION(0, #__VA_ARGS__, __VA_ARGS__) \
    void writeToInts(::ferry::IntWriter& out_) const;      \
    void readFromInts(::ferry::IntReader& in_);            \
    FERRY_END_MAYBE_OVERRIDE

/// FERRY_FIELDS_SOME in two parts. The second part is FERRY_FIELDS_DEFINED(Class).
#define FERRY_FIELDS_SOME_DECLARED(...)                         \
    auto ferrySomeSelf() const->decltype(this) { return this; } \
    FERRY_FIELDS_DECLARED(__VA_ARGS__)

#define FERRY_FIELDS_DEFINED(Class_)                                                                          \
    void Class_::writeToInts(::ferry::IntWriter& out_) const { ::ferry::detail::writeFieldsOf(*this, out_); } \
    void Class_::readFromInts(::ferry::IntReader& in_) { ::ferry::detail::readFieldsOf(*this, in_); }

/// FERRY_FIELDS_AFTER(Room, beamer): the fields of the base class, then these fields. A further base class is listed among the fields, as
/// ferry::baseOf<Furnished>(*this). A base class that is not listed does not travel.
#define FERRY_FIELDS_AFTER(...) FERRY_FIELDS_AFTER_IMPLEMENTATION(0, #__VA_ARGS__, __VA_ARGS__)
#define FERRY_FIELDS_AFTER_IMPLEMENTATION(version_, names_, base_, ...) \
    FERRY_FIELDS_IMPLEMENTATION(version_, names_, ::ferry::detail::basePartOf<base_>(*this) __VA_OPT__(, ) __VA_ARGS__)

/// FERRY_FIELDS_VERSIONED(2, seats, name, beamer): fields to which more may be added. A new field is added at the end, and the version is
/// raised by one. Fields are never removed or reordered. A program of an older version skips the new fields. A program of a newer version
/// sets missing fields to their values in a new object. Costs two ints.
#define FERRY_FIELDS_VERSIONED(version_, ...)                             \
    static_assert((version_) >= 1, "ferry: versions are counted from 1"); \
    FERRY_FIELDS_IMPLEMENTATION(version_, #__VA_ARGS__, __VA_ARGS__)
/// FERRY_FIELDS_VERSIONED_AFTER(2, Room, beamer): the fields of the base class (in its own version), then these fields.
#define FERRY_FIELDS_VERSIONED_AFTER(version_, ...)                       \
    static_assert((version_) >= 1, "ferry: versions are counted from 1"); \
    FERRY_FIELDS_AFTER_IMPLEMENTATION(version_, #__VA_ARGS__, __VA_ARGS__)
