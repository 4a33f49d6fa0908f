#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <ferry/serialization/ints/CodecFixedArray.hpp>
#include <ferry/serialization/ints/CodecTraits.hpp>
#include <ferry/serialization/ints/IntSerializableObject.hpp>

namespace ferry::detail {

/// The functions of a graph for the objects of one type, known by their address only. An object of the class hierarchy is known by the
/// address of its IntSerializableObject and has objectPointee, whatever its class; an array behind a pointer by its first element.
struct PointeeType {
    const std::type_info* type = nullptr;
    std::size_t objectBytes = 0;
    std::size_t minInts = 0;    ///< that its contents take
    bool isArray = false;
    bool hasDestructor = true;      ///< one that does something
    bool standsWhereMet = false;    ///< the contents stand where the first pointer to the object stands: write and read do nothing

    // References, so that none is left out: a function that has nothing to do does nothing.
    void (&write)(IntWriter& out, const void* object, std::size_t count);    ///< count: 1 but for arrays
    void (&fetch)(const void* object) noexcept;                              ///< has the processor fetch memory that write will read
    void (&read)(IntReader& in, void* object, std::size_t count);
    void (&destroy)(void* object) noexcept;      ///< ends what new made
    void (&destroyAt)(void* object) noexcept;    ///< and what lies in memory of somebody else; of an array as destroy
};

inline void fetchNothing(const void*) noexcept {}
inline void writeNothing(IntWriter&, const void*, std::size_t) {}
inline void readNothing(IntReader&, void*, std::size_t) {}

template <class T>
inline constexpr bool isObject = std::is_base_of_v<IntSerializableObject, T>;

template <class Field>
concept Fetched = requires(const Field& field) {
    field.data();
    *field.data();
};

/// Where the fields of an object have memory of their own, its beginning.
template <class T>
void fetchFields(const void* object) noexcept {
    FieldAccess::visit(*static_cast<const T*>(object), [](const auto&... fields) {
        const auto fetch = [](const auto& field) {
            if constexpr (Fetched<std::remove_cvref_t<decltype(field)>>) __builtin_prefetch(field.data());
        };
        (fetch(fields), ...);
    });
}

struct FindFetched {
    template <class... Fields>
    constexpr std::bool_constant<(Fetched<std::remove_cvref_t<Fields>> || ...)> operator()(Fields&&...) const {
        return {};
    }
};

template <class T>
consteval auto findFetch() -> void (*)(const void*) noexcept {
    if constexpr (codecKind<T> == CodecKind::Fields) {
        if constexpr (decltype(FieldAccess::visit(std::declval<const T&>(), FindFetched()))::value) return &fetchFields<T>;
    }
    return &fetchNothing;
}

/// Notes the arrays among the fields, where a graph must know their ends. Defined with ReferenceWriter.
template <class T>
void noteArraysOf(IntWriter& out, const T& object);

/// For objects whose type is known by the pointer to them.
template <class T>
inline constexpr PointeeType pointeeType{
    .type = &typeid(T),
    .objectBytes = sizeof(T),
    .minInts = ferry::minInts<T>,
    .isArray = false,
    .hasDestructor = !std::is_trivially_destructible_v<T>,
    .write =
        *[](IntWriter& out, const void* object, std::size_t) {
            noteArraysOf(out, *static_cast<const T*>(object));
            Codec<T>::write(out, *static_cast<const T*>(object));
        },
    .fetch = *findFetch<T>(),
    .read = *[](IntReader& in, void* object, std::size_t) { Codec<T>::read(in, *static_cast<T*>(object)); },
    .destroy = *[](void* object) noexcept { delete static_cast<T*>(object); },
    .destroyAt = *[](void* object) noexcept { static_cast<T*>(object)->~T(); },
};

template <class T>
void writeElementsOf(IntWriter& out, const void* first, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) Codec<T>::write(out, static_cast<const T*>(first)[i]);
}
template <class T>
void readElementsOf(IntReader& in, void* first, std::size_t count) {
    std::size_t i = 0;
    try {
        for (; i < count; ++i) Codec<T>::read(in, static_cast<T*>(first)[i]);
    } catch (...) {
        rethrowFromElement(i);
    }
}

template <class T>
void deleteArray(void* first) noexcept {
    delete[] static_cast<T*>(first);
}

/// For arrays of these elements. Numbers and other elements that are copied in one piece stand where the first pointer to the array stands,
/// so that nothing is left to be written or read.
template <class T>
inline constexpr PointeeType arrayPointee{
    .type = &typeid(T[]),
    .objectBytes = sizeof(T),
    .minInts = ferry::minInts<T>,
    .isArray = true,
    .hasDestructor = true,
    .standsWhereMet = Bulk<T>,
    .write = *(Bulk<T> ? &writeNothing : &writeElementsOf<T>),
    .fetch = fetchNothing,
    .read = *(Bulk<T> ? &readNothing : &readElementsOf<T>),
    .destroy = deleteArray<T>,
    .destroyAt = deleteArray<T>,
};

/// For every class derived from IntSerializableObject.
inline constexpr PointeeType objectPointee{
    .type = &typeid(IntSerializableObject),
    .write = *[](IntWriter& out, const void* object,
                 std::size_t) { out.writeSelf(object, [&] { static_cast<const IntSerializableObject*>(object)->writeToInts(out); }); },
    .fetch = fetchNothing,
    .read = *[](IntReader& in, void* object, std::size_t) { static_cast<IntSerializableObject*>(object)->readFromInts(in); },
    .destroy = *[](void* object) noexcept { delete static_cast<IntSerializableObject*>(object); },
    .destroyAt = *[](void* object) noexcept { static_cast<IntSerializableObject*>(object)->~IntSerializableObject(); },
};

/// Whether objects of T travel as a view of them (ViewCodec).
template <class T>
consteval bool findViewed() {
    if constexpr (std::is_class_v<T>) {
        if constexpr (requires { Codec<T>::isViewed; }) return Codec<T>::isViewed;
    }
    return false;
}

/// Whether vectors and arrays of T are remembered, so that pointers to their elements can be told: elements that are objects.
template <class T>
inline constexpr bool isPointee = codecKind<T> == CodecKind::Fields || codecKind<T> == CodecKind::Object ||
                                  codecKind<T> == CodecKind::OwnMembers || codecKind<T> == CodecKind::Aggregate || findViewed<T>();

/// A pointer to an object as PointeeType takes it.
template <class T>
const void* pointeeAddress(const T* object) noexcept {
    if constexpr (isObject<T>)
        return static_cast<const IntSerializableObject*>(object);
    else
        return object;
}

template <class T>
const PointeeType& pointeeTypeOf() noexcept {
    if constexpr (isObject<T>) {
        return objectPointee;
    } else {
        return pointeeType<T>;
    }
}

}    // namespace ferry::detail
