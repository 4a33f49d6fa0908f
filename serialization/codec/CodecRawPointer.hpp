#pragma once

#include <type_traits>
#include <typeinfo>

#include <ferry/serialization/ints/CodecTraits.hpp>
#include <ferry/serialization/ints/CompilersText.hpp>
#include <ferry/serialization/reference/ReferenceReader.hpp>
#include <ferry/serialization/reference/ReferenceWriter.hpp>

// A raw pointer travels as the number of its object in the graph. Outside of a graph, raw pointers cannot travel.

namespace ferry {

namespace detail {

template <class T>
consteval bool isPointeeWritable() {
    if constexpr (std::is_void_v<T> || std::is_array_v<T> || std::is_volatile_v<T>)
        return false;
    else if constexpr (isObject<T>)
        return true;
    else
        return Writable<T>;
}

/// The compiler's errors for a type behind a pointer. The errors name the type.
template <class T>
struct PointeeCheck {
    /// True: the checks of the type as a value add nothing.
    static constexpr bool isTold = std::is_void_v<T> || std::is_array_v<T> || std::is_volatile_v<T> || isObject<T>;
    static_assert(!std::is_void_v<T>, "ferry: a pointer to void does not tell what to write");
    static_assert(!std::is_array_v<T>, "ferry: a pointer to an array does not know its length: use std::vector");
    static_assert(std::is_array_v<T> || !std::is_volatile_v<T>,
                  "ferry: a volatile value behind a pointer (see T) cannot travel: take volatile off, or make it a std::atomic");
    static_assert(isTold || !std::is_polymorphic_v<T> || std::is_final_v<T>,
                  "ferry: an object behind a pointer to a class with virtual functions may be of a derived class, which only classes "
                  "derived from ferry::IntSerializableObject tell");
};

template <class T>
consteval void requirePointee() {
    if constexpr (!PointeeCheck<T>::isTold) requireWritable<T>();
}

[[noreturn]] void failOutsideGraph(const std::type_info& pointee);
[[noreturn]] void failOutsideGraph(const IntReader& in, const std::type_info& pointee);

/// The references of the graph that is being written. Errors: UsageError outside of a graph.
template <class T>
ReferenceWriter& referencesOf(const IntWriter& out) {
    if (out.references() == nullptr) failOutsideGraph(typeid(T));
    return *out.references();
}
/// The references of the graph that is being read. Errors: SerializationError outside of a graph: a message that names a class of graphs is
/// damaged.
template <class T>
ReferenceReader& referencesOf(const IntReader& in) {
    if (in.references() == nullptr) failOutsideGraph(in, typeid(T));
    return *in.references();
}

/// Whether a type is an open file of C (FILE). The type is recognised by its name, because this layer does not include its header.
template <class T>
consteval bool isOpenFile() {
    return std::is_class_v<T> && (compilersTextOf<T>() == "_IO_FILE" || compilersTextOf<T>() == "__sFILE");
}

/// Whether a raw pointer to the type can never point to an object of a graph.
template <class T>
inline constexpr bool cannotBePointee = std::is_arithmetic_v<T> || std::is_function_v<T> || std::is_pointer_v<T> || isOpenFile<T>();

/// The compiler's errors for a raw pointer.
template <class T>
struct RawPointeeCheck {
    static constexpr bool isTold = cannotBePointee<T> || PointeeCheck<T>::isTold;
    static_assert(!std::is_same_v<T, char>, "ferry: a pointer to text does not own it: use a std::string");
    static_assert(!std::is_arithmetic_v<T> || std::is_same_v<T, char>,
                  "ferry: a pointer to a number does not tell how many there are: use ferry::arrayOf(pointer, count), std::vector or "
                  "std::unique_ptr");
    static_assert(!isOpenFile<T>(),
                  "ferry: an open file (a pointer to FILE) cannot travel: send its path, and list the other fields with FERRY_FIELDS(...)");
    static_assert(!std::is_function_v<T>, "ferry: a pointer to a function cannot travel");
    static_assert(!std::is_pointer_v<T>, "ferry: a pointer to a pointer cannot travel: let it point to an object that holds the pointer");
};

template <class T>
consteval bool isRawPointeeWritable() {
    if constexpr (cannotBePointee<T>)
        return false;
    else
        return isPointeeWritable<T>();
}

}    // namespace detail

template <class T>
struct Codec<T*> {
    using Value = std::remove_const_t<T>;

    static constexpr std::size_t minInts = 1;
    static constexpr bool isWritable = detail::isRawPointeeWritable<Value>();
    static constexpr bool needsGraph = true;
    using WritableCheck = detail::RawPointeeCheck<Value>;

    static void write(IntWriter& out, T* const& pointer) {
        if constexpr (isWritable) {
            detail::requirePointee<Value>();
            detail::referencesOf<Value>(out).template write<Value>(out, pointer);
        }
    }
    static void read(IntReader& in, T*& pointer) {
        if constexpr (isWritable) {
            detail::requirePointee<Value>();
            pointer = detail::referencesOf<Value>(in).template read<Value>(in);
        }
    }
};

}    // namespace ferry
