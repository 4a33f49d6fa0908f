#pragma once

#include <cstdint>

#include <ferry/serialization/Codec.hpp>

namespace ferry::detail {

/// Bodies of the writeToInts and readFromInts that FERRY_FIELDS makes.
template <class T>
void writeFieldsOf(const T& object, IntWriter& out) {
    const IntWriter::LentFields lent(out, &object);
    if constexpr (isObject<T>) noteArraysOf(out, object);
    writeFields(out, object);
}

template <class T>
void readFieldsOf(T& object, IntReader& in) {
    in.moveTo(readFieldsFrom(in.cursor(), in, object));
}

}    // namespace ferry::detail

// In a class derived from IntSerializableObject the two functions override; in a plain one they do not, so the word cannot be written.
#if defined(__clang__)
#define FERRY_BEGIN_MAYBE_OVERRIDE                                                                    \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wunknown-warning-option\"") \
        _Pragma("clang diagnostic ignored \"-Winconsistent-missing-override\"") _Pragma("clang diagnostic ignored \"-Wsuggest-override\"")
#define FERRY_END_MAYBE_OVERRIDE _Pragma("clang diagnostic pop")
#else
#define FERRY_BEGIN_MAYBE_OVERRIDE _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wsuggest-override\"")
#define FERRY_END_MAYBE_OVERRIDE _Pragma("GCC diagnostic pop")
#endif

#define FERRY_FIELDS_IMPLEMENTATION(version_, names_, ...)                                            \
    FERRY_BEGIN_MAYBE_OVERRIDE                                                                        \
    friend struct ::ferry::FieldAccess;                                                               \
    auto ferrySelf() const->decltype(this) { return this; }                                           \
    template <class Visitor_>                                                                         \
    decltype(auto) ferryVisitFields(Visitor_&& visitor_) const {                                      \
        return visitor_(__VA_ARGS__);                                                                 \
    }                                                                                                 \
    template <class Visitor_>                                                                         \
    decltype(auto) ferryVisitFields(Visitor_&& visitor_) {                                            \
        return visitor_(__VA_ARGS__);                                                                 \
    }                                                                                                 \
    static constexpr const char* ferryFieldNames() noexcept { return names_; }                        \
    static constexpr ::std::int32_t ferryFieldsVersion() noexcept { return version_; }                \
    void writeToInts(::ferry::IntWriter& out_) const { ::ferry::detail::writeFieldsOf(*this, out_); } \
    void readFromInts(::ferry::IntReader& in_) { ::ferry::detail::readFieldsOf(*this, in_); }         \
    FERRY_END_MAYBE_OVERRIDE

/// FERRY_FIELDS(seats, name), in the body of a class, before or after the fields are declared: they are what travels, in this order. In a
/// class derived from IntSerializableObject this gives writeToInts and readFromInts; in any other class it makes objects of the class
/// usable as fields, elements and messages' parts. FERRY_FIELDS() for a class without data. Not for classes that are local to a function.
#define FERRY_FIELDS(...) FERRY_FIELDS_IMPLEMENTATION(0, #__VA_ARGS__, __VA_ARGS__)

/// FERRY_FIELDS_AFTER(Room, beamer): what the base class writes, then these fields. A further base class is written where it is listed
/// among them, as ferry::baseOf<Furnished>(*this); one that is not listed does not travel.
#define FERRY_FIELDS_AFTER(...) FERRY_FIELDS_AFTER_IMPLEMENTATION(0, #__VA_ARGS__, __VA_ARGS__)
#define FERRY_FIELDS_AFTER_IMPLEMENTATION(version_, names_, base_, ...) \
    FERRY_FIELDS_IMPLEMENTATION(version_, names_, ::ferry::detail::basePartOf<base_>(*this) __VA_OPT__(, ) __VA_ARGS__)

/// FERRY_FIELDS_VERSIONED(2, seats, name, beamer): fields that may become more. A new field is put at the end and the version raised by
/// one; fields are never removed or reordered. A program of an older version skips the new fields; one of a newer version gives fields that
/// are missing what they have in a new object. Costs two ints.
#define FERRY_FIELDS_VERSIONED(version_, ...)                             \
    static_assert((version_) >= 1, "ferry: versions are counted from 1"); \
    FERRY_FIELDS_IMPLEMENTATION(version_, #__VA_ARGS__, __VA_ARGS__)
/// FERRY_FIELDS_VERSIONED_AFTER(2, Room, beamer): what the base class writes (in its own version), then these fields.
#define FERRY_FIELDS_VERSIONED_AFTER(version_, ...)                       \
    static_assert((version_) >= 1, "ferry: versions are counted from 1"); \
    FERRY_FIELDS_AFTER_IMPLEMENTATION(version_, #__VA_ARGS__, __VA_ARGS__)
