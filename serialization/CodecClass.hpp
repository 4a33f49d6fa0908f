#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <ferry/serialization/CodecPack.hpp>

// Classes: objects of the class hierarchy, classes with FERRY_FIELDS, classes that write and read themselves.

namespace ferry {

/// The part of an object that is of its base class; FERRY_FIELDS_AFTER makes one.
template <class Base>
struct BasePart {
    Base& object;
};

namespace detail {

template <class Base, class T>
BasePart<const Base> basePartOf(const T& object) {
    return {object};
}
template <class Base, class T>
BasePart<Base> basePartOf(T& object) {
    return {object};
}

/// The fields of a class with FERRY_FIELDS.
template <class T>
using FieldsOf = decltype(FieldAccess::visit(std::declval<const T&>(), FindPack()));

}    // namespace detail

/// By value: the contents alone; whoever reads knows the class.
template <class T>
    requires(codecKind<T> == CodecKind::Object)
struct Codec<T> {
    static void write(IntWriter& out, const T& object) {
        const IntWriter::Nesting nesting(out);
        object.writeToInts(out);
    }
    static void read(IntReader& in, T& object) {
        const IntReader::Nesting nesting(in);
        try {
            object.readFromInts(in);
        } catch (...) {
            detail::rethrowFromClass(object.className());
        }
    }
};

template <class T>
    requires(codecKind<T> == CodecKind::OwnMembers)
struct Codec<T> {
    static void write(IntWriter& out, const T& object) {
        const IntWriter::Nesting nesting(out);
        object.writeToInts(out);
    }
    static void read(IntReader& in, T& object) {
        const IntReader::Nesting nesting(in);
        object.readFromInts(in);
    }
};

template <class Base>
struct Codec<BasePart<Base>> {
    using Class = std::remove_const_t<Base>;

    static constexpr bool isWritable = true;
    static void write(IntWriter& out, const BasePart<Base>& part) { part.object.Class::writeToInts(out); }
    static void read(IntReader& in, const BasePart<Base>& part) { part.object.Class::readFromInts(in); }
};

template <class T>
    requires(codecKind<T> == CodecKind::Fields)
struct Codec<T> {
    static_assert(std::same_as<FieldAccess::Owner<T>, T>,
                  "ferry: the class inherits FERRY_FIELDS, which leaves out its own fields: give it FERRY_FIELDS_AFTER(Base, ...)");

    static constexpr bool isWritable = true;
    static constexpr std::size_t minInts = detail::FieldsOf<T>::minTotal;
    static constexpr std::size_t fixedInts = detail::FieldsOf<T>::fixedTotal;

    static std::int32_t* put(std::int32_t* target, const T& object) {
        return FieldAccess::visit(object, [target](const auto&... fields) { return detail::putPack(target, fields...); });
    }
    static const std::int32_t* get(const std::int32_t* source, T& object, const IntReader& forErrors) {
        return FieldAccess::visit(object, [&](auto&&... fields) { return detail::getPack(source, forErrors, fields...); });
    }
    static void write(IntWriter& out, const T& object) {
        FieldAccess::visit(object, [&out](const auto&... fields) { detail::writePack(out, fields...); });
    }
    static void read(IntReader& in, T& object) {
        FieldAccess::visit(object, [&in](auto&&... fields) { detail::readPack(in, FieldAccess::names<T>(), fields...); });
    }
};

}    // namespace ferry
