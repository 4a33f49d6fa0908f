#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <ferry/serialization/codec/CodecPack.hpp>
#include <ferry/serialization/reference/WrittenOwners.hpp>

// Codecs of classes: objects of the class hierarchy, classes with FERRY_FIELDS, classes with their own writeToInts and readFromInts.

namespace ferry {

namespace detail {

/// The base class part of an object. FERRY_FIELDS_AFTER makes one.
template <class Base>
struct BasePart {
    Base& object;
};

/// Whether T has the base class exactly once. The base class may be private.
template <class Base, class T>
concept HasOneBase = std::is_base_of_v<Base, T> && requires(T& object) {
    (Base&)object;
};

/// Returns the base class part of an object. Only a C-style cast also reaches private bases.
template <class Base, class T>
BasePart<const Base> basePartOf(const T& object) {
    static_assert(HasOneBase<const Base, const T>,
                  "ferry: FERRY_FIELDS_AFTER and ferry::baseOf name a base class that the class (see T) has once");
    return {(const Base&)object};
}
template <class Base, class T>
BasePart<Base> basePartOf(T& object) {
    static_assert(HasOneBase<Base, T>, "ferry: FERRY_FIELDS_AFTER and ferry::baseOf name a base class that the class (see T) has once");
    return {(Base&)object};
}

template <class T>
inline constexpr bool isBasePart = false;
template <class Base>
inline constexpr bool isBasePart<BasePart<Base>> = true;
template <class Base>
inline constexpr bool isFieldProxy<BasePart<Base>> = true;

}    // namespace detail

/// The fields of a further base class, for a class with several: FERRY_FIELDS_AFTER(First, ferry::baseOf<Second>(*this), ownField).
template <class Base, class T>
auto baseOf(T& object) {
    return detail::basePartOf<Base>(object);
}

namespace detail {

/// Whether an entry of FERRY_FIELDS is a member or refers to one. A new value would be read into and lost.
template <class Field>
inline constexpr bool isField = std::is_lvalue_reference_v<Field> || isFieldProxy<std::remove_cvref_t<Field>>;

template <class... Fields>
consteval void requireFields() {
    static_assert((isField<Fields> && ...), "ferry: FERRY_FIELDS lists members; an expression that makes a new value cannot be read into");
}

template <class Owner>
Owner* ownerOfWriting(void (Owner::*)(IntWriter&) const);

/// Whether a class inherits writeToInts and is larger than the class that declares it. (Some such classes cannot be detected.)
template <class T>
consteval bool losesOwnFields() {
    if constexpr (!std::is_abstract_v<T> && requires { ownerOfWriting(&T::writeToInts); }) {
        using Owner = std::remove_pointer_t<decltype(ownerOfWriting(&T::writeToInts))>;
        return sizeof(T) > sizeof(Owner);
    }
    return false;
}

template <class T, class Owner>
consteval bool ownsName(const char* (Owner::*)() const) {
    return std::is_same_v<T, Owner>;
}

/// Whether a class of objects has neither a name nor contents of its own: it inherits both from its base class.
template <class T>
consteval bool inheritsAll() {
    if constexpr (!std::is_abstract_v<T> && requires { ownerOfWriting(&T::writeToInts); }) {
        using Owner = std::remove_pointer_t<decltype(ownerOfWriting(&T::writeToInts))>;
        return !std::is_same_v<Owner, T> && !ownsName<T>(&T::className);
    }
    return false;
}

/// The fields of a class with FERRY_FIELDS.
template <class T>
using FieldsOf = decltype(FieldAccess::visit(std::declval<const T&>(), FindPack()));

/// An owner in the list of fields of class T.
template <class Owner, class T, std::size_t Index>
struct PlacedOwner {
    const Owner& owner;
};

template <class T, std::size_t Index>
inline constexpr OwnerField ownerField{&typeid(T), FieldAccess::names<T>(), Index};

/// A field, or the owner with its place. Errors that concern two owners name their places.
template <class T, std::size_t Index, class Field>
decltype(auto) placedField(const Field& field) {
    if constexpr (isOwner<Field>)
        return PlacedOwner<Field, T, Index>{field};
    else
        return (field);
}

/// Finds members that FERRY_FIELDS forgets (ForgottenFields.hpp).
template <class T>
struct ListedFields;

[[noreturn]] void failSharedCount(const IntReader& in);

/// Reads the fields of a class with owners by read(). Errors: those of read(); SerializationError when two arrays with one count have
/// different lengths. After an error behind the first array that came, all owned arrays of the object are empty: several arrays may share
/// a count, and the count that came would not fit the arrays that did not come.
template <class Read, class... Fields>
void readWithOwners(const IntReader& in, const Read& read, const Fields&... fields) {
    const auto hasArrived = [](const auto& field) {
        using FieldCodec = Codec<std::remove_cvref_t<decltype(field)>>;
        if constexpr (requires { FieldCodec::hasArrived(field); })
            return FieldCodec::hasArrived(field);
        else
            return true;
    };
    const auto clear = [](const auto& field) {
        using FieldCodec = Codec<std::remove_cvref_t<decltype(field)>>;
        if constexpr (requires { FieldCodec::hasArrived(field); }) FieldCodec::clear(field);
    };
    try {
        read();
        if (!(hasArrived(fields) && ...)) failSharedCount(in);
    } catch (...) {
        const auto hasCome = [](const auto& field) {
            using FieldCodec = Codec<std::remove_cvref_t<decltype(field)>>;
            if constexpr (requires { FieldCodec::hasCome(field); })
                return FieldCodec::hasCome(field);
            else
                return false;
        };
        if ((hasCome(fields) || ...)) (clear(fields), ...);
        throw;
    }
}

}    // namespace detail

/// An object by value travels as its contents alone, because the reader knows the class.
/// Errors: UsageError when the object belongs to a derived class without FERRY_CLASS, whose own fields might be lost.
template <class T>
    requires(detail::codecKind<T> == detail::CodecKind::Object)
struct Codec<T> {
    static_assert(!detail::losesOwnFields<T>() && !detail::inheritsAll<T>(),
                  "ferry: the class (see T) inherits writeToInts, which leaves out its own fields: list them with FERRY_FIELDS(...) or "
                  "FERRY_FIELDS_AFTER(Base, ...); FERRY_FIELDS_AFTER(Base) says that none of them is to travel");

    static void write(IntWriter& out, const T& object) {
        if constexpr (!std::is_final_v<T>) {
            if (typeid(object) != typeid(T)) detail::requireOwnClassId(object);
        }
        const IntWriter::Nesting nesting(out);
        out.writeSelf(std::addressof(object), [&] { object.writeToInts(out); });
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
    requires(detail::codecKind<T> == detail::CodecKind::OwnMembers)
struct Codec<T> {
    static_assert(
        !detail::losesOwnFields<T>(),
        "ferry: the class (see T) inherits writeToInts, which leaves out its own fields: give it FERRY_FIELDS_AFTER(Base, ...), or "
        "writeToInts and readFromInts of its own");

    static void write(IntWriter& out, const T& object) {
        const IntWriter::Nesting nesting(out);
        out.writeSelf(std::addressof(object), [&] { object.writeToInts(out); });
    }
    static void read(IntReader& in, T& object) {
        const IntReader::Nesting nesting(in);
        object.readFromInts(in);
    }
};

namespace detail {

/// A base class that is not written for Ferry: a standard container or a plain struct.
template <class Base>
inline constexpr bool isForeignBase =
    !std::is_base_of_v<IntSerializableObject, Base> && !FieldAccess::hasFields<Base>() && !OwnMembersValue<Base>;

}    // namespace detail

template <class Base>
struct Codec<detail::BasePart<Base>> {
    using Class = std::remove_const_t<Base>;

    static constexpr bool isWritable = true;
    static void write(IntWriter& out, const detail::BasePart<Base>& part) {
        const Class& object = part.object;
        out.writeSelf(std::addressof(object), [&] { object.Class::writeToInts(out); });
    }
    static void read(IntReader& in, const detail::BasePart<Base>& part) { part.object.Class::readFromInts(in); }
};

/// The part of such a base class travels like an object of the base class alone.
template <class Base>
    requires detail::isForeignBase<std::remove_const_t<Base>>
struct Codec<detail::BasePart<Base>> {
    using Class = std::remove_const_t<Base>;

    static constexpr bool isWritable = detail::Writable<Class>;
    static constexpr bool needsGraph = ferry::detail::needsGraph<Class>;
    static constexpr std::size_t minInts = ferry::detail::minInts<Class>;

    static void write(IntWriter& out, const detail::BasePart<Base>& part) { detail::writeValue<Class>(out, part.object); }
    static void read(IntReader& in, const detail::BasePart<Base>& part) { detail::readValue<Class>(in, part.object); }
};

template <class Owner, class T, std::size_t Index>
struct Codec<detail::PlacedOwner<Owner, T, Index>> {
    static constexpr bool isWritable = true;
    static constexpr std::size_t minInts = Codec<Owner>::minInts;
    static void write(IntWriter& out, const detail::PlacedOwner<Owner, T, Index>& placed) {
        Codec<Owner>::write(out, placed.owner, &detail::ownerField<T, Index>);
    }
};

namespace detail {

/// Whether the class's own FERRY_FIELDS lists only fields with a fixed number of ints.
template <class T>
consteval bool findFixedFields() {
    if constexpr (FieldAccess::hasFields<T>()) {
        if constexpr (std::same_as<FieldAccess::Owner<T>, T>) return FieldsOf<T>::isFixed && FieldAccess::version<T>() == 0;
    }
    return false;
}
template <class T>
inline constexpr bool hasFixedFields = findFixedFields<T>();

/// Whether an object of the class itself holds raw pointers, as far as the compiler can tell.
template <class T>
consteval bool findGraphOnly() {
    if constexpr (FieldAccess::hasFields<T>())
        return FieldsOf<T>::needsGraph;
    else
        return needsGraph<T>;
}

/// To be called for every type that is sent as a message or value.
template <class T>
consteval void requireNoGraph() {
    static_assert(!findGraphOnly<T>(),
                  "ferry: this type (see T in the lines near this one) holds raw pointers, which travel only inside a graph: send it with "
                  "ferry::graph, or use std::unique_ptr or std::shared_ptr, or list the pointer as ferry::owned(pointer) if the class "
                  "deletes its object");
}

/// Moves the value of a field of another object to this field.
template <class Field>
void assignField(Field& field, Field& other) {
    if constexpr (std::is_array_v<Field>) {
        for (std::size_t i = 0; i < std::extent_v<Field>; ++i) assignField(field[i], other[i]);
    } else if constexpr (requires { field = std::move(other); }) {
        field = std::move(other);
    } else if constexpr (requires { field.value = std::move(other.value); }) {
        field.value = std::move(other.value);    // ferry::boosted
    } else if constexpr (isOwner<Field>) {
        Codec<Field>::assign(field, other);
    } else {
        static_assert(
            isFieldProxy<std::remove_const_t<Field>>,
            "ferry: a field of a class with versions must be assignable: when an older program does not send the field, the field gets its "
            "initial value");
    }
}

/// Reads an object whose writer knew fewer fields. The other fields get their values from a new object. An abstract class has no new object
/// for this. Its object was just made for a pointer, so that its other fields keep their initial values.
template <class T, std::size_t... I>
void readOlderFields(std::index_sequence<I...>, IntReader& in, T& object) {
    std::size_t present = 0;
    const auto readNext = [&](auto& field) {
        using Field = std::remove_reference_t<decltype(field)>;
        if (in.remaining() == 0 && !isBasePart<Field>) return false;
        readValue(in, field);
        ++present;
        return true;
    };
    FieldAccess::visit(object, [&](auto&&... fields) {
        const auto readAll = [&] {
            try {
                static_cast<void>((readNext(fields) && ...));
            } catch (...) {
                rethrowFromField(FieldAccess::names<T>(), present);
            }
        };
        if constexpr (FieldsOf<T>::hasOwners)
            readWithOwners(in, readAll, fields...);
        else
            readAll();
    });
    if (present == sizeof...(I)) return;
    if constexpr (std::is_default_constructible_v<T>) {
        T initial{};
        const auto reset = [&](std::size_t index, auto& field, auto& initialField) {
            if (index >= present) assignField(field, initialField);
        };
        FieldAccess::visit(object, [&](auto&&... fields) {
            FieldAccess::visit(initial, [&](auto&&... initialFields) { (reset(I, fields, initialFields), ...); });
        });
    }
}

template <class T, std::size_t... I>
void writeWithOwners(std::index_sequence<I...>, IntWriter& out, const T& object) {
    FieldAccess::visit(object, [&out](const auto&... fields) { writePack(out, placedField<T, I>(fields)...); });
}

template <class T>
[[gnu::always_inline]] inline void writeOwnFields(IntWriter& out, const T& object) {
    if constexpr (FieldsOf<T>::hasOwners)
        writeWithOwners(std::make_index_sequence<FieldsOf<T>::count>(), out, object);
    else
        FieldAccess::visit(object, [&out](const auto&... fields) { writePack(out, fields...); });
}

template <class T>
[[gnu::always_inline]] inline const std::int32_t* readOwnFieldsFrom(const std::int32_t* cursor, IntReader& in, T& object) {
    return FieldAccess::visit(object, [&](auto&&... fields) {
        requireFields<decltype(fields)...>();
        if constexpr (FieldsOf<T>::hasOwners) {
            readWithOwners(
                in, [&] { in.moveTo(readPackFrom(cursor, in, FieldAccess::names<T>(), fields...)); }, fields...);
            return in.cursor();
        } else {
            return readPackFrom(cursor, in, FieldAccess::names<T>(), fields...);
        }
    });
}

/// Reads the fields of an object whose version is not the reader's own.
template <class T>
[[gnu::noinline]] const std::int32_t* readOtherVersionFrom(const std::int32_t* cursor, IntReader& in, T& object) {
    in.moveTo(cursor);
    in.readVersioned(FieldAccess::version<T>(), [&](std::int32_t version) {
        if (version < FieldAccess::version<T>()) {
            readOlderFields(std::make_index_sequence<FieldsOf<T>::count>(), in, object);
        } else {
            in.moveTo(readOwnFieldsFrom(in.cursor(), in, object));
        }
    });
    return in.cursor();
}

/// Writes the fields of a class with FERRY_FIELDS, with their version if they have one.
template <class T>
void writeFields(IntWriter& out, const T& object) {
    if constexpr (FieldAccess::version<T>() == 0) {
        writeOwnFields(out, object);
    } else {
        const IntWriter::VersionedStart start = out.beginVersioned(FieldAccess::version<T>());
        writeOwnFields(out, object);
        out.endVersioned(start);
    }
}

template <class T>
const std::int32_t* readFieldsFrom(const std::int32_t* cursor, IntReader& in, T& object) {
    if constexpr (FieldAccess::version<T>() == 0) {
        return readOwnFieldsFrom(cursor, in, object);
    } else {
        const std::int32_t* end = in.beginSameVersionAt(cursor, FieldAccess::version<T>());
        if (end == nullptr) [[unlikely]] {
            return readOtherVersionFrom(cursor, in, object);
        }
        cursor = readOwnFieldsFrom(cursor, in, object);
        if (cursor != end) [[unlikely]] {
            in.failVersionEnd(cursor, end, FieldAccess::version<T>());
        }
        return cursor;
    }
}

}    // namespace detail

template <class T>
    requires(detail::codecKind<T> == detail::CodecKind::Fields)
struct Codec<T> : detail::CursorCodec<T> {
    static_assert(std::same_as<detail::FieldAccess::Owner<T>, T>,
                  "ferry: the class inherits FERRY_FIELDS, which leaves out its own fields: give it FERRY_FIELDS_AFTER(Base, ...)");
    static_assert(detail::ListedFields<T>::isChecked);

    static constexpr bool isWritable = true;
    static constexpr bool hasVersion = detail::FieldAccess::version<T>() != 0;
    static constexpr std::size_t minInts = hasVersion ? 2 : detail::FieldsOf<T>::minTotal;
    static constexpr std::size_t fixedInts = hasVersion ? 0 : detail::FieldsOf<T>::fixedTotal;

    static std::int32_t* put(std::int32_t* target, const T& object) {
        detail::ListedFields<T>::checkFirst(object);
        return detail::FieldAccess::visit(object, [target](const auto&... fields) { return detail::putPack(target, fields...); });
    }
    static const std::int32_t* get(const std::int32_t* source, T& object, const IntReader& forErrors) {
        return detail::FieldAccess::visit(object, [&](auto&&... fields) { return detail::getPack(source, forErrors, fields...); });
    }
    static void write(IntWriter& out, const T& object) {
        detail::ListedFields<T>::checkFirst(object);
        detail::writeFields(out, object);
    }
    static const std::int32_t* readFrom(const std::int32_t* cursor, IntReader& in, T& object) {
        return detail::readFieldsFrom(cursor, in, object);
    }
};

}    // namespace ferry
