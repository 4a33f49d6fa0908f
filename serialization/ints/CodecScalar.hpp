#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include <ferry/serialization/ints/CodecTraits.hpp>

// Arithmetic types and enums take one int up to 32 bits, and two ints (low half first) for 64 bits. Narrow integers are widened with their
// sign. float and double travel as their IEEE bits, bool as 0 or 1. An enum travels as its underlying type, an atomic as its value.

namespace ferry {

template <class T>
    requires(detail::codecKind<T> == detail::CodecKind::Scalar && !std::is_enum_v<T>)
struct Codec<T> : detail::FixedCodec<T> {
    static_assert(!std::is_floating_point_v<T> || std::numeric_limits<T>::is_iec559, "floating-point numbers travel as IEEE 754");

    static constexpr std::size_t fixedInts = sizeof(T) == 8 ? 2 : 1;
    static constexpr bool isImage = sizeof(T) >= 4 && ferry::detail::liesAsInts<sizeof(T)>;
    /// Whether neighbouring values are packed into the bytes that they take in memory.
    static constexpr bool isPackable = !std::is_same_v<T, bool>;

    static std::int32_t* put(std::int32_t* target, T value) noexcept {
        if constexpr (sizeof(T) >= 4) {
            detail::putElements<sizeof(T)>(target, &value, sizeof(T));
        } else {
            *target = static_cast<std::int32_t>(value);
        }
        return target + fixedInts;
    }

    static const std::int32_t* get(const std::int32_t* source, T& value, const IntReader& forErrors) {
        if constexpr (sizeof(T) >= 4) {
            detail::getElements<sizeof(T)>(&value, source, sizeof(T));
        } else if constexpr (std::is_same_v<T, bool>) {
            if (*source != 0 && *source != 1) [[unlikely]] {
                forErrors.failAt(source, "a bool (0 or 1)", *source);
            }
            value = *source != 0;
        } else {
            value = static_cast<T>(*source);
            if (static_cast<std::int32_t>(value) != *source) [[unlikely]] {
                forErrors.failAt(source, sizeof(T) == 1 ? "a number of 8 bits" : "a number of 16 bits", *source);
            }
        }
        return source + fixedInts;
    }
};

template <class T>
    requires(detail::codecKind<T> == detail::CodecKind::Scalar && std::is_enum_v<T>)
struct Codec<T> : detail::FixedCodec<T> {
    using Underlying = std::underlying_type_t<T>;

    static constexpr std::size_t fixedInts = Codec<Underlying>::fixedInts;
    static constexpr bool isImage = Codec<Underlying>::isImage;
    static constexpr bool isPackable = Codec<Underlying>::isPackable;

    static std::int32_t* put(std::int32_t* target, T value) noexcept {
        return Codec<Underlying>::put(target, static_cast<Underlying>(value));
    }
    static const std::int32_t* get(const std::int32_t* source, T& value, const IntReader& forErrors) {
        Underlying number{};
        source = Codec<Underlying>::get(source, number, forErrors);
        value = static_cast<T>(number);
        return source;
    }
};

/// Writes the value of the atomic at the moment of writing.
template <class T>
struct Codec<std::atomic<T>> {
    static constexpr bool isWritable = detail::Writable<T>;
    static constexpr bool needsGraph = ferry::detail::needsGraph<T>;
    static constexpr std::size_t fixedInts = ferry::detail::fixedInts<T>;
    static constexpr std::size_t minInts = ferry::detail::minInts<T>;

    static std::int32_t* put(std::int32_t* target, const std::atomic<T>& value) { return Codec<T>::put(target, value.load()); }
    static const std::int32_t* get(const std::int32_t* source, std::atomic<T>& value, const IntReader& forErrors) {
        T content{};
        source = Codec<T>::get(source, content, forErrors);
        value.store(content);
        return source;
    }
    static void write(IntWriter& out, const std::atomic<T>& value) { detail::writeValue(out, value.load()); }
    static void read(IntReader& in, std::atomic<T>& value) {
        T content{};
        detail::readValue(in, content);
        value.store(std::move(content));
    }
};

}    // namespace ferry
