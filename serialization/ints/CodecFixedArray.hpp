#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include <ferry/serialization/ints/CodecScalar.hpp>

// std::array and C arrays travel as their elements without a count. Elements of less than 32 bits are packed.

namespace ferry {

namespace detail {

template <class T>
concept Packable = ScalarValue<T> && Codec<T>::isPackable;

/// Neighbouring elements of such a type are copied in one piece, as bytes.
template <class T>
concept Bulk = Packable<T> || ferry::detail::isImage<T>;

/// The bytes of which an array of such elements is made (ByteOrder.hpp): those of a number, or of an int where a struct is copied as it is.
template <Bulk T>
inline constexpr std::size_t grainBytes = Packable<T> ? sizeof(T) : sizeof(std::int32_t);

template <class T, std::size_t N>
struct ArrayCodecBase {
    static constexpr bool isWritable = Writable<T>;
    static constexpr bool needsGraph = ferry::detail::needsGraph<T>;
    static constexpr std::size_t minInts = N * ferry::detail::minInts<T>;
    static constexpr bool isImage = false;
};

template <Bulk T, std::size_t N>
struct ArrayCodecBase<T, N> {
    static constexpr bool isWritable = true;
    static constexpr std::size_t fixedInts = (N * sizeof(T) + 3) / 4;
    static constexpr bool isImage = N != 0 && N * sizeof(T) % 4 == 0 && liesAsInts<grainBytes<T>>;
};

template <class T, std::size_t N>
    requires(!Bulk<T> && ferry::detail::fixedInts<T> != 0)
struct ArrayCodecBase<T, N> {
    static constexpr bool isWritable = true;
    static constexpr std::size_t fixedInts = N * ferry::detail::fixedInts<T>;
    static constexpr bool isImage = false;
};

/// For Array = std::array<T, N> or T[N].
template <class Array, class T, std::size_t N>
struct ArrayCodec : ArrayCodecBase<T, N> {
    static std::int32_t* put(std::int32_t* target, const Array& values) {
        if constexpr (N == 0) {
        } else if constexpr (Bulk<T>) {
            target[ArrayCodec::fixedInts - 1] = 0;
            putElements<grainBytes<T>>(target, std::addressof(values[0]), N * sizeof(T));
            target += ArrayCodec::fixedInts;
        } else {
            for (const T& value : values) target = Codec<T>::put(target, value);
        }
        return target;
    }

    static const std::int32_t* get(const std::int32_t* source, Array& values, const IntReader& forErrors) {
        if constexpr (N == 0) {
        } else if constexpr (Bulk<T>) {
            getElements<grainBytes<T>>(static_cast<void*>(std::addressof(values[0])), source, N * sizeof(T));
            source += ArrayCodec::fixedInts;
        } else {
            for (T& value : values) source = Codec<T>::get(source, value, forErrors);
        }
        return source;
    }

    static void write(IntWriter& out, const Array& values) {
        requireWritable<T>();
        if constexpr (Bulk<T> && N != 0) {
            out.template writeElements<grainBytes<T>>(std::addressof(values[0]), N * sizeof(T));
        } else if constexpr (requires { ArrayCodec::fixedInts; } && !isLargeField<T>) {
            FixedCodec<Array>::write(out, values);
        } else {
            for (const T& value : values) Codec<T>::write(out, value);
        }
    }

    static void read(IntReader& in, Array& values) {
        requireWritable<T>();
        if constexpr (requires { ArrayCodec::fixedInts; }) {
            FixedCodec<Array>::read(in, values);
        } else {
            std::size_t i = 0;
            try {
                for (; i < N; ++i) Codec<T>::read(in, values[i]);
            } catch (...) {
                rethrowFromElement(i);
            }
        }
    }
};

}    // namespace detail

template <class T, std::size_t N>
struct Codec<std::array<T, N>> : detail::ArrayCodec<std::array<T, N>, T, N> {};

template <class T, std::size_t N>
struct Codec<T[N]> : detail::ArrayCodec<T[N], T, N> {};
template <class T, std::size_t N>
struct Codec<const T[N]> : detail::ConstantCodec<T[N]> {};
template <class T, std::size_t N>
struct Codec<volatile T[N]> : detail::VolatileCodec<T[N]> {};
template <class T, std::size_t N>
struct Codec<const volatile T[N]> : detail::VolatileCodec<T[N]> {};

}    // namespace ferry
