#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <typeinfo>

#include <ferry/serialization/codec/CodecClass.hpp>
#include <ferry/serialization/codec/CodecOwned.hpp>
#include <ferry/serialization/ints/AggregateFields.hpp>
#include <ferry/serialization/reference/AddressMap.hpp>
#include <ferry/serialization/reference/IdentityMap.hpp>

// Finds members that FERRY_FIELDS forgets. Where the compiler can count the members, it compares their number. Elsewhere the memory of an
// object tells: a gap between two listed fields that alignment does not explain is a member.

namespace ferry::detail {

template <class... Values>
consteval std::size_t countsOfOwners(Pack<Values...>) {
    [[maybe_unused]] const auto countsOf = []<class Value>(const Value*) -> std::size_t {
        if constexpr (requires { std::tuple_size_v<decltype(Value::counts)>; })
            return std::tuple_size_v<decltype(Value::counts)>;
        else
            return 0;
    };
    return (countsOf(static_cast<const Values*>(nullptr)) + ... + std::size_t{0});
}

template <class... Values>
consteval bool isBaseAlone(Pack<Values...>) {
    return sizeof...(Values) == 1 && (isBasePart<Values> && ...);
}

/// Whether the class says, by FERRY_FIELDS, that all its members travel.
template <class T>
consteval bool claimsAllFields() {
    if constexpr (FieldAccess::hasFields<T>())
        return std::is_same_v<FieldAccess::Owner<T>, T> && !FieldAccess::listsSome<T>() && !isBaseAlone(FieldsOf<T>());
    else
        return false;
}

/// Whether FERRY_FIELDS lists fewer members than the compiler counts. Members and base classes without data need not be listed.
template <class T>
consteval bool forgetsFields() {
    if constexpr (!claimsAllFields<T>()) {
        return false;
    } else if constexpr (!std::is_aggregate_v<T> || FieldsOf<T>::count >= MaxAggregateFields) {
        return false;
    } else {
        constexpr BraceCount members = countBraces<T>();
        return members.fields - members.empties > FieldsOf<T>::count + countsOfOwners(FieldsOf<T>());
    }
}

/// Whether a class of a library holds values that would travel: a container, a text, an optional and the like.
template <class T>
consteval bool isLibraryValue() {
    if constexpr (!isLibraryClass<T>()) {
        return false;
    } else {
        constexpr CodecKind kind = codecKind<T>;
        constexpr bool isTuple = requires { std::tuple_size<T>::value; };
        constexpr bool isPointer = requires(T & pointer) {
            typename T::element_type;
            pointer.reset();
        };
        return isTuple || isPointer || (kind >= CodecKind::Sequence && kind <= CodecKind::Optional);
    }
}

// Finds a base class that is such a value. The choice among these functions looks at all base classes. When it chooses one that is not
// public, the call does not compile.
template <template <class...> class Template, class... Arguments>
    requires(isLibraryValue<Template<Arguments...>>())
std::true_type findValueBase(const Template<Arguments...>*);
template <template <class, std::size_t> class Template, class Element, std::size_t size>
    requires(isLibraryValue<Template<Element, size>>())
std::true_type findValueBase(const Template<Element, size>*);
std::false_type findValueBase(const void*);

template <class... Values>
consteval bool listsBase(Pack<Values...>) {
    return (isBasePart<Values> || ...);
}

/// Whether FERRY_FIELDS leaves out a base class that is a container or another value of a library, public or not.
template <class T>
consteval bool forgetsValueBase() {
    if constexpr (!claimsAllFields<T>()) {
        return false;
    } else if constexpr (listsBase(FieldsOf<T>())) {
        return false;
    } else if constexpr (requires(const T* object) { findValueBase(object); }) {
        return decltype(findValueBase(static_cast<const T*>(nullptr)))::value;
    } else {
        return true;
    }
}

/// The memory of one listed field or base class part, in bytes from the beginning of the object.
struct FieldPlace {
    std::size_t begin = 0;
    std::size_t bytes = 0;
    std::size_t alignment = 1;
    bool isBase = false;
};

/// Finds a gap that alignment does not explain, before, between or behind the fields. Returns the number of its bytes, or 0.
/// isPolymorphic: the object also holds pointers of the compiler, before its fields.
std::size_t unexplainedGap(FieldPlace* begin, FieldPlace* end, std::size_t objectBytes, std::size_t objectAlignment, bool isPolymorphic);
[[noreturn]] void failForgottenField(const std::type_info& type, const char* names, std::size_t bytes);

/// Whether an object of the class contains a virtual base class, whose place no rule tells.
template <class T>
consteval bool hasVirtualRoot() {
    if constexpr (std::is_base_of_v<IntSerializableObject, T>) return !requires(IntSerializableObject * object) {
            static_cast<T*>(object);
        };
    else
        return false;
}

/// Adds the place of a field. Returns false for one whose place is not known.
template <class T, class Field>
bool addPlace(const T& object, const Field& field, FieldPlace*& end) {
    if constexpr (isBasePart<Field>) {
        if (!addPlace(object, field.object, end)) return false;
        end[-1].isBase = true;
        return true;
    } else if constexpr (isOwner<Field> || isFieldProxy<Field>) {
        return false;
    } else {
        const auto begin =
            reinterpret_cast<std::uintptr_t>(std::addressof(field)) - reinterpret_cast<std::uintptr_t>(std::addressof(object));
        *end++ = {begin, sizeof(Field), alignof(Field)};
        return begin < sizeof(T) && begin + sizeof(Field) <= sizeof(T);    // false for a member that is a reference
    }
}

/// Errors: UsageError when the class says that all members travel, and its object has room for one that is not listed.
template <class T>
void requireNoGap(const T& object) {
    if constexpr (claimsAllFields<T>() && !std::is_aggregate_v<T> && !hasVirtualRoot<T>()) {
        std::array<FieldPlace, FieldsOf<T>::count + 1> places{};
        FieldPlace* end = places.data();
        const bool areKnown =
            FieldAccess::visit(object, [&](const auto&... fields) { return (addPlace(object, fields, end) && ... && true); });
        if (!areKnown) return;
        const std::size_t gap = unexplainedGap(places.data(), end, sizeof(T), alignof(T), std::is_polymorphic_v<T>);
        constexpr bool hasMark = !std::is_same_v<typename IdentityMapFor<T>::type, AddressMap<sizeof(T)>>;
        if (hasMark && gap == sizeof(GraphMark)) return;
        if (gap != 0) failForgottenField(typeid(T), FieldAccess::names<T>(), gap);
    }
}

template <class T>
struct ListedFields {
    static_assert(!forgetsFields<T>(),
                  "ferry: FERRY_FIELDS of the class (see T) leaves out a member: list it, or write FERRY_FIELDS_SOME(...), which says that "
                  "it is meant to stay behind");
    static_assert(forgetsFields<T>() || !forgetsValueBase<T>(),
                  "ferry: FERRY_FIELDS of the class (see T) leaves out a container or another value from which the class derives: write "
                  "FERRY_FIELDS_AFTER(Base, ...), or FERRY_FIELDS_SOME(...), which says that it is meant to stay behind");
    static constexpr bool isChecked = true;

    /// In a debug build, looks at the first object that is written.
    static void checkFirst([[maybe_unused]] const T& object) {
#ifndef NDEBUG
        static const bool isFirst = (requireNoGap(object), true);
        static_cast<void>(isFirst);
#endif
    }
};

}    // namespace ferry::detail
