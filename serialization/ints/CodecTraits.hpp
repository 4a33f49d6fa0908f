#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <ferry/serialization/ints/CodecKind.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/ints/ReadLimits.hpp>

// The questions that one codec asks another. A codec is a class with
//     static void write(IntWriter&, const T&);
//     static void read(IntReader&, T&);
// and, where they hold,
//     fixedInts     every value takes this many ints, and there are put and get, which work on memory that is known to be large enough:
//                   static std::int32_t* put(std::int32_t* target, const T&);
//                   static const std::int32_t* get(const std::int32_t* source, T&, const IntReader& forErrors);
//     minInts       a value takes at least this many ints (fixedInts when that is there, otherwise 0)
//     readFrom      static const std::int32_t* readFrom(const std::int32_t* cursor, IntReader&, T&): reads at the cursor and returns the
//     next;
//                   then read comes from CursorCodec
//     isImage       the memory of a T is exactly its ints: many of them are copied in one piece
//     isWritable    false when a part of the value cannot be written
//     needsGraph    true when a part of the value is a raw pointer, which travels inside a graph only

namespace ferry {

namespace detail {

template <class T>
concept HasCodec = requires(IntWriter& out, IntReader& in, const T& constant, T& value) {
    Codec<T>::write(out, constant);
    Codec<T>::read(in, value);
};

template <class T>
consteval bool findWritable() {
    if constexpr (requires { Codec<T>::isWritable; })
        return Codec<T>::isWritable;
    else
        return HasCodec<T>;
}

template <class T>
consteval std::size_t findFixedInts() {
    if constexpr (requires { Codec<T>::fixedInts; })
        return Codec<T>::fixedInts;
    else
        return 0;
}

template <class T>
consteval std::size_t findMinInts() {
    if constexpr (findFixedInts<T>() != 0)
        return findFixedInts<T>();
    else if constexpr (requires { Codec<T>::minInts; })
        return Codec<T>::minInts;
    else
        return 0;
}

template <class T>
consteval bool findImage() {
    if constexpr (requires { Codec<T>::isImage; })
        return Codec<T>::isImage;
    else
        return false;
}

template <class T>
consteval bool findNeedsGraph() {
    if constexpr (requires { Codec<T>::needsGraph; })
        return Codec<T>::needsGraph;
    else
        return false;
}

}    // namespace detail

/// Whether values of type T can be sent. For classes this asks no more than that they say how: each of their fields is checked where the
/// class is written.
template <class T>
concept Writable = detail::findWritable<std::remove_cv_t<T>>();

/// Number of ints of every value, 0 when it differs between values.
template <class T>
inline constexpr std::size_t fixedInts = detail::findFixedInts<T>();

/// Number of ints that a value takes at least.
template <class T>
inline constexpr std::size_t minInts = detail::findMinInts<T>();

/// Whether values hold raw pointers, so that they travel inside a graph only. Of classes this tells nothing: see FieldsOf.
template <class T>
inline constexpr bool needsGraph = detail::findNeedsGraph<std::remove_cv_t<T>>();

/// Whether the memory of a value is exactly its ints.
template <class T>
inline constexpr bool isImage = detail::findImage<T>();

namespace detail {

/// Whether values have much memory for the ints that they must take, and so are counted (ReadLimits::memoryPerByte).
template <class T>
inline constexpr bool isRoomy = ReadLimits::isRoomy(sizeof(T), ferry::minInts<T>);
/// Whether an object behind a pointer, which takes an int too, has much memory for its ints.
template <class T>
inline constexpr bool isRoomyPointee = ReadLimits::isRoomy(sizeof(T), ferry::minInts<T> + 1);

/// Whether the codec of a type that cannot be written says why, by the assertions of its class WritableCheck.
template <class T>
consteval bool isToldByCodec() {
    if constexpr (requires { typename Codec<T>::WritableCheck; })
        return Codec<T>::WritableCheck::isTold;
    else
        return false;
}

template <class T>
consteval void requireWritable() {
    static_assert(
        Writable<T> || isToldByCodec<T>(),
        "ferry: this type (see T in the lines near this one) cannot be written: list its fields with FERRY_FIELDS(...) in the class, give "
        "it writeToInts and readFromInts, or specialise ferry::Codec for it");
}

template <class T>
void writeValue(IntWriter& out, const T& value) {
    requireWritable<T>();
    Codec<T>::write(out, value);
}

template <class T>
void readValue(IntReader& in, T& value) {
    requireWritable<T>();
    Codec<T>::read(in, value);
}

/// Reads a value at the cursor; returns the cursor behind it.
template <class T>
[[gnu::always_inline]] inline const std::int32_t* readValueFrom(const std::int32_t* cursor, IntReader& in, T& value) {
    requireWritable<T>();
    if constexpr (findFixedInts<T>() != 0) {
        const std::int32_t* source = in.takeAt(cursor, findFixedInts<T>());
        Codec<T>::get(source, value, in);
        return cursor;
    } else if constexpr (requires { Codec<T>::readFrom(cursor, in, value); }) {
        return Codec<T>::readFrom(cursor, in, value);
    } else {
        in.moveTo(cursor);
        Codec<T>::read(in, value);
        return in.cursor();
    }
}

/// read of a codec with readFrom.
template <class T>
struct CursorCodec {
    static void read(IntReader& in, T& value) { in.moveTo(Codec<T>::readFrom(in.cursor(), in, value)); }
};

/// A value that refers to what is read, and is made anew each time: the only kind that may stand in FERRY_FIELDS beside members.
template <class T>
inline constexpr bool isFieldProxy = false;

/// Errors that many codecs have in common; all throw SerializationError at the current position.
[[noreturn]] void failFlag(const IntReader& in, std::int32_t found);
[[noreturn]] void failWrongSize(const IntReader& in, std::size_t expected, std::size_t found);
[[noreturn]] void failRepeatedKeys(const IntReader& in, std::size_t expected, std::size_t found);
[[noreturn]] void failStrayBits(const IntReader& in);
[[noreturn]] void failAlternative(const IntReader& in, std::size_t alternatives, std::int32_t found);

/// Values of a fixed number of ints that are large enough to be lent (IntWriter::lend) are not put together with their neighbours, but
/// written by themselves.
template <class T>
inline constexpr bool isLargeField = fixedInts<T> >= 256;

/// write and read of a codec whose values take a fixed number of ints.
template <class T>
struct FixedCodec {
    static void write(IntWriter& out, const T& value) { Codec<T>::put(out.claim(Codec<T>::fixedInts), value); }
    static void read(IntReader& in, T& value) { Codec<T>::get(in.take(Codec<T>::fixedInts), value, in); }
};

}    // namespace detail

/// Types without a codec.
template <class T>
struct Codec {
    static constexpr bool isWritable = false;
    static void write(IntWriter&, const T&) { detail::requireWritable<T>(); }
    static void read(IntReader&, T&) { detail::requireWritable<T>(); }
};

/// A constant value is written like any other.
template <class T>
struct Codec<const T> {
private:
    static consteval void requireMutable() {    // clang wants it before its use
        static_assert(!std::is_same_v<T, T>,
                      "ferry: a constant value (see T) can be written, but not read into: take const off the field or element");
    }

public:
    static constexpr bool isWritable = Writable<T>;
    static constexpr std::size_t minInts = ferry::minInts<T>;
    static constexpr std::size_t fixedInts = ferry::fixedInts<T>;

    static std::int32_t* put(std::int32_t* target, const T& value) { return Codec<T>::put(target, value); }
    static const std::int32_t* get(const std::int32_t* source, const T&, const IntReader&) {
        requireMutable();
        return source;
    }
    static void write(IntWriter& out, const T& value) { detail::writeValue(out, value); }
    static void read(IntReader&, const T&) { requireMutable(); }
};

/// A volatile value changes by itself: no copy of it is whole.
template <class T>
struct Codec<volatile T> {
private:
    static consteval void refuse() {    // clang wants it before its use
        static_assert(!std::is_same_v<T, T>,
                      "ferry: a volatile value (see T) cannot be written: take volatile off the field or element, or make it a std::atomic");
    }

public:
    static constexpr std::size_t minInts = ferry::minInts<T>;

    static void write(IntWriter&, const volatile T&) { refuse(); }
    static void read(IntReader&, const volatile T&) { refuse(); }
};
template <class T>
struct Codec<const volatile T> : Codec<volatile T> {};

}    // namespace ferry
