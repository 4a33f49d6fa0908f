#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <ferry/serialization/ints/CodecKind.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/ints/ReadLimits.hpp>

// The interface between codecs. A codec is a class with
//     static void write(IntWriter&, const T&);
//     static void read(IntReader&, T&);
// A codec may also have these members:
//     fixedInts     the number of ints of every value. The codec then has put and get, which work on memory of known sufficient size:
//                   static std::int32_t* put(std::int32_t* target, const T&);
//                   static const std::int32_t* get(const std::int32_t* source, T&, const IntReader& forErrors);
//     minInts       the least number of ints of a value (default: fixedInts where it exists, otherwise 0)
//     readFrom      static const std::int32_t* readFrom(const std::int32_t* cursor, IntReader&, T&);
//                   reads at the cursor and returns the next cursor. CursorCodec then provides read.
//     isImage       true when the memory of a T is exactly its ints, so that an array of T is copied in one piece
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

/// Whether values of type T can be sent. For a class, only the existence of its serialization functions is checked here. The types of its
/// fields are checked where the class is written.
template <class T>
concept Writable = detail::findWritable<std::remove_cv_t<T>>();

/// Number of ints of every value. 0: the number differs between values.
template <class T>
inline constexpr std::size_t fixedInts = detail::findFixedInts<T>();

/// Least number of ints of a value.
template <class T>
inline constexpr std::size_t minInts = detail::findMinInts<T>();

/// Whether values hold raw pointers and therefore travel inside a graph only. Says nothing about classes: for them see FieldsOf.
template <class T>
inline constexpr bool needsGraph = detail::findNeedsGraph<std::remove_cv_t<T>>();

/// Whether the memory of a value is exactly its ints.
template <class T>
inline constexpr bool isImage = detail::findImage<T>();

/// Whether values take much memory per int of the message. Such values are counted (ReadLimits::memoryPerByte).
template <class T>
inline constexpr bool isRoomy = ReadLimits::isRoomy(sizeof(T), ferry::detail::minInts<T>);
/// Like isRoomy, for an object behind a pointer. The pointer takes one int more.
template <class T>
inline constexpr bool isRoomyPointee = ReadLimits::isRoomy(sizeof(T), ferry::detail::minInts<T> + 1);

/// Whether the codec of a type that cannot be written reports the reason, by the assertions of its class WritableCheck.
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

/// Reads a value at the cursor and returns the cursor after the value.
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

/// Implements read for a codec that has readFrom.
template <class T>
struct CursorCodec {
    static void read(IntReader& in, T& value) { in.moveTo(Codec<T>::readFrom(in.cursor(), in, value)); }
};

/// A value that refers to the data to read and is made anew each time. Only such a temporary may stand in FERRY_FIELDS beside members.
template <class T>
inline constexpr bool isFieldProxy = false;

/// Whether a field is a raw pointer that owns (ferry::owned, ferry::ownedArray).
template <class T>
inline constexpr bool isOwner = false;

/// Errors that several codecs share. All throw SerializationError at the current position.
[[noreturn]] void failFlag(const IntReader& in, std::int32_t found);
[[noreturn]] void failWrongSize(const IntReader& in, std::size_t expected, std::size_t found);
[[noreturn]] void failRepeatedKeys(const IntReader& in, std::size_t expected, std::size_t found);
[[noreturn]] void failStrayBits(const IntReader& in);
[[noreturn]] void failAlternative(const IntReader& in, std::size_t alternatives, std::int32_t found);

/// Whether values of a fixed number of ints are large enough to be lent (IntWriter::lend). Such a value is written alone, not together with
/// its neighbours.
template <class T>
inline constexpr bool isLargeField = fixedInts<T> >= 256;

/// Implements write and read for a codec whose values take a fixed number of ints.
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

namespace detail {

/// A constant value is written like any other.
template <class T>
struct ConstantCodec {
private:
    static consteval void requireMutable() {    // clang needs the definition before the use
        static_assert(!std::is_same_v<T, T>,
                      "ferry: a constant value (see T) can be written, but not read into: take const off the field or element");
    }

public:
    static constexpr bool isWritable = Writable<T>;
    static constexpr std::size_t minInts = ferry::detail::minInts<T>;
    static constexpr std::size_t fixedInts = ferry::detail::fixedInts<T>;

    static std::int32_t* put(std::int32_t* target, const T& value) { return Codec<T>::put(target, value); }
    static const std::int32_t* get(const std::int32_t* source, const T&, const IntReader&) {
        requireMutable();
        return source;
    }
    static void write(IntWriter& out, const T& value) { writeValue(out, value); }
    static void read(IntReader&, const T&) { requireMutable(); }
};

/// A volatile value can change at any time, so that no copy of it is consistent.
template <class T>
struct VolatileCodec {
private:
    static consteval void refuse() {    // clang needs the definition before the use
        static_assert(
            !std::is_same_v<T, T>,
            "ferry: a volatile value (see T) cannot be written: take volatile off the field or element, or make it a std::atomic");
    }

public:
    static constexpr std::size_t minInts = ferry::detail::minInts<T>;

    static void write(IntWriter&, const volatile T&) { refuse(); }
    static void read(IntReader&, const volatile T&) { refuse(); }
};

}    // namespace detail

// CodecFixedArray.hpp has the same for C arrays.
template <class T>
struct Codec<const T> : detail::ConstantCodec<T> {};
template <class T>
struct Codec<volatile T> : detail::VolatileCodec<T> {};
template <class T>
struct Codec<const volatile T> : detail::VolatileCodec<T> {};

}    // namespace ferry
