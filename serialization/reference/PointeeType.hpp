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

/// The operations of a graph on the objects of one type, given only their addresses. An object of the class hierarchy is known by the
/// address of its IntSerializableObject. Its type is objectPointee, whatever its class. An array behind a pointer is known by its first
/// element.
struct PointeeType {
    const std::type_info* type = nullptr;
    std::size_t objectBytes = 0;
    std::size_t minInts = 0;    ///< least number of ints of its contents
    bool isArray = false;
    bool hasDestructor = true;      ///< true: the destructor has an effect
    bool standsWhereMet = false;    ///< true: the contents follow the first pointer to the object; write and read do nothing

    // References, so that no function can be missing. A function without a task does nothing.
    void (&write)(IntWriter& out, const void* object, std::size_t count);    ///< count: 1 except for arrays
    void (&fetch)(const void* object) noexcept;                              ///< prefetches memory that write will read
    void (&read)(IntReader& in, void* object, std::size_t count);
    void (&destroy)(void* object) noexcept;      ///< destroys an object made with new
    void (&destroyAt)(void* object) noexcept;    ///< destroys an object in foreign memory; for an array like destroy
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

/// Prefetches the beginning of memory that the fields of an object own.
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

/// Notes the arrays among the fields if a graph must know their ends. Defined with ReferenceWriter.
template <class T>
void noteArraysOf(IntWriter& out, const T& object);

/// For objects whose type is given by the type of the pointer.
template <class T>
inline constexpr PointeeType pointeeType{
    .type = &typeid(T),
    .objectBytes = sizeof(T),
    .minInts = ferry::detail::minInts<T>,
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

/// For arrays of these elements. Numbers and other elements that are copied in one piece follow the first pointer to the array. Then write
/// and read have nothing left to do.
template <class T>
inline constexpr PointeeType arrayPointee{
    .type = &typeid(T[]),
    .objectBytes = sizeof(T),
    .minInts = ferry::detail::minInts<T>,
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

/// Whether the graph remembers vectors and arrays of T, to recognise pointers to their elements. True for elements that are objects.
template <class T>
inline constexpr bool isPointee = codecKind<T> == CodecKind::Fields || codecKind<T> == CodecKind::Object ||
                                  codecKind<T> == CodecKind::OwnMembers || codecKind<T> == CodecKind::Aggregate || findViewed<T>();

/// Converts a pointer to an object to the address that PointeeType uses.
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
