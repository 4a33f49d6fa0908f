#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <ferry/serialization/ints/CodecTraits.hpp>
#include <ferry/serialization/ints/KeyOrder.hpp>

// bitset, complex, chrono, filesystem::path and optional, recognised by their members (CodecKind.hpp).

namespace ferry {

/// Each int holds 32 bits, the lowest first.
template <class T>
    requires(detail::codecKind<T> == detail::CodecKind::Bits)
struct Codec<T> {
    static_assert(detail::requireNoLoss<T, (T().size() + 63) / 64 * 8 + (T().size() == 0 ? 1 : 0)>());
    static constexpr std::size_t bitCount = T().size();
    static constexpr std::size_t minInts = (bitCount + 31) / 32;

    static void write(IntWriter& out, const T& bits) {
        std::int32_t* target = out.claim(minInts);
        for (std::size_t first = 0; first < bitCount; first += 32) {
            std::uint32_t word = 0;
            for (std::size_t i = first; i < bitCount && i < first + 32; ++i) word |= static_cast<std::uint32_t>(bits[i]) << (i - first);
            *target++ = static_cast<std::int32_t>(word);
        }
    }

    static void read(IntReader& in, T& bits) {
        const std::int32_t* source = in.take(minInts);
        if (bitCount % 32 != 0 && static_cast<std::uint32_t>(source[minInts - 1]) >> (bitCount % 32) != 0) {
            in.rewind(in.position() - minInts);
            detail::failStrayBits(in);
        }
        for (std::size_t i = 0; i < bitCount; ++i) bits.set(i, (static_cast<std::uint32_t>(source[i / 32]) >> (i % 32) & 1) != 0);
    }
};

/// Written as the real part, then the imaginary part.
template <class T>
    requires(detail::codecKind<T> == detail::CodecKind::Complex)
struct Codec<T> : detail::FixedCodec<T> {
    static_assert(detail::requireNoLoss<T, 2 * sizeof(typename T::value_type)>());
    using Part = typename T::value_type;

    static_assert(detail::Writable<Part>, "ferry: complex numbers of float or double can be written");
    static constexpr std::size_t fixedInts = 2 * ferry::detail::fixedInts<Part>;
    static constexpr bool isImage = std::is_trivially_copyable_v<T> && sizeof(T) == 2 * sizeof(Part) && ferry::detail::isImage<Part>;

    static std::int32_t* put(std::int32_t* target, const T& number) {
        return Codec<Part>::put(Codec<Part>::put(target, number.real()), number.imag());
    }
    static const std::int32_t* get(const std::int32_t* source, T& number, const IntReader& forErrors) {
        Part real{}, imaginary{};
        source = Codec<Part>::get(source, real, forErrors);
        source = Codec<Part>::get(source, imaginary, forErrors);
        number = T(real, imaginary);
        return source;
    }
};

/// Written as the count of ticks. Writer and reader must use the same unit.
template <class T>
    requires(detail::codecKind<T> == detail::CodecKind::Duration)
struct Codec<T> : detail::FixedCodec<T> {
    static_assert(detail::requireNoLoss<T, sizeof(typename T::rep)>());
    using Count = typename T::rep;

    static_assert(ferry::detail::fixedInts<Count> != 0, "ferry: durations that count in an arithmetic type can be written");
    static constexpr std::size_t fixedInts = ferry::detail::fixedInts<Count>;
    static constexpr bool isImage = std::is_trivially_copyable_v<T> && sizeof(T) == sizeof(Count) && ferry::detail::isImage<Count>;

    static std::int32_t* put(std::int32_t* target, const T& duration) { return Codec<Count>::put(target, duration.count()); }
    static const std::int32_t* get(const std::int32_t* source, T& duration, const IntReader& forErrors) {
        Count count{};
        source = Codec<Count>::get(source, count, forErrors);
        duration = T(count);
        return source;
    }
};

/// Written as the duration since the epoch of the clock.
template <class T>
    requires(detail::codecKind<T> == detail::CodecKind::TimePoint)
struct Codec<T> : detail::FixedCodec<T> {
    static_assert(detail::requireNoLoss<T, sizeof(typename T::duration)>());
    using Duration = typename T::duration;

    static constexpr std::size_t fixedInts = Codec<Duration>::fixedInts;
    static constexpr bool isImage = std::is_trivially_copyable_v<T> && sizeof(T) == sizeof(Duration) && ferry::detail::isImage<Duration>;

    static std::int32_t* put(std::int32_t* target, const T& time) { return Codec<Duration>::put(target, time.time_since_epoch()); }
    static const std::int32_t* get(const std::int32_t* source, T& time, const IntReader& forErrors) {
        Duration duration{};
        source = Codec<Duration>::get(source, duration, forErrors);
        time = T(duration);
        return source;
    }
};

/// Written like the string of the file system.
template <class T>
    requires(detail::codecKind<T> == detail::CodecKind::Path)
struct Codec<T> {
    static_assert(detail::requireNoLoss<T>());
    using String = typename T::string_type;

    static constexpr std::size_t minInts = 1;

    static void write(IntWriter& out, const T& path) { Codec<String>::write(out, path.native()); }
    static void read(IntReader& in, T& path) {
        String text;
        Codec<String>::read(in, text);
        path = T(std::move(text));
    }
};

/// Written as 0, or as 1 and the value.
template <class T>
    requires(detail::codecKind<T> == detail::CodecKind::Optional)
struct Codec<T> {
    static_assert(detail::requireNoLoss<T, sizeof(typename T::value_type) + alignof(T)>());
    using Value = typename T::value_type;

    static constexpr std::size_t minInts = 1;
    static constexpr bool isWritable = detail::Writable<Value>;
    static constexpr bool needsGraph = ferry::detail::needsGraph<Value>;

    static void write(IntWriter& out, const T& optional) {
        detail::requireWritable<Value>();
        out.writeInt(optional.has_value() ? 1 : 0);
        if (optional.has_value()) Codec<Value>::write(out, *optional);
    }

    static void read(IntReader& in, T& optional) {
        detail::requireWritable<Value>();
        constexpr bool canBeMade = std::is_default_constructible_v<Value>;
        static_assert(canBeMade, "ferry: the value of an optional (see T) needs a default constructor to be read");
        detail::requireMadeReady<Value>();
        const std::int32_t flag = in.peekInt();
        if (flag != 0 && flag != 1) detail::failFlag(in, flag);
        in.take(1);
        optional.reset();
        if constexpr (canBeMade) {
            if (flag == 0) return;
            optional.emplace();
            Codec<Value>::read(in, *optional);
        }
    }
};

}    // namespace ferry
