#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>

#include <ferry/serialization/codec/CodecRawPointer.hpp>
#include <ferry/serialization/ints/KeyOrder.hpp>

// An array behind a pointer travels as its lengths and its number in the graph. The first pointer to the array is followed by the elements.

namespace ferry {

namespace detail {

/// An array behind a raw pointer, together with the members that hold its length. ferry::arrayOf makes one.
template <class Pointer, class... Counts>
struct PointedArray {
    Pointer& pointer;
    std::tuple<Counts&...> counts;
};

}    // namespace detail

/// A field of a class that travels in graphs: a pointer to an array. FERRY_FIELDS(name, ferry::arrayOf(samples, sampleCount)) lists one.
/// The length is the product of the counts: an array may have several dimensions. Do not list the counts as fields, too. Two pointers to
/// one first element arrive as two pointers to one array. The arriving graph owns the array (made with new[]). For an array that the class
/// deletes see ferry::ownedArray. Errors: UsageError for a negative count, two lengths of one array, and outside of a graph.
template <class Pointer, std::integral... Counts>
    requires std::is_pointer_v<Pointer> detail::PointedArray<Pointer, Counts...> arrayOf(Pointer& first, Counts&... counts) {
        static_assert(sizeof...(Counts) > 0, "ferry: an array behind a pointer needs the member that holds its length");
        return {first, {counts...}};
    }

namespace detail {

template <class Pointer, class... Counts>
inline constexpr bool isFieldProxy<PointedArray<Pointer, Counts...>> = true;

[[noreturn]] void failArrayCount();

template <class Count>
constexpr bool isNegative(Count count) noexcept {
    if constexpr (std::is_signed_v<Count>)
        return count < 0;
    else
        return false;
}

/// Computes the product. Returns false if a count is negative or the product overflows.
template <class... Counts>
bool multiplyLengths(std::size_t& product, const Counts&... counts) {
    product = 1;
    return !(isNegative(counts) || ...) && (!__builtin_mul_overflow(product, counts, &product) && ...);
}

template <class Count>
void readLength(IntReader& in, Count& count) {
    const std::size_t start = in.position();
    const std::size_t length = in.readPlainCount();
    if (length > static_cast<std::size_t>(std::numeric_limits<Count>::max())) {
        in.rewind(start);
        failWrongSize(in, static_cast<std::size_t>(std::numeric_limits<Count>::max()), length);
    }
    count = static_cast<Count>(length);
}

}    // namespace detail

template <class Pointer, class... Counts>
struct Codec<detail::PointedArray<Pointer, Counts...>> {
    using Element = std::remove_const_t<std::remove_pointer_t<Pointer>>;
    using Array = detail::PointedArray<Pointer, Counts...>;

    static constexpr std::size_t minInts = sizeof...(Counts) + 1;
    static constexpr bool isWritable = detail::Writable<Element>;
    static constexpr bool needsGraph = true;

    static void write(IntWriter& out, const Array& array) {
        detail::requireWritable<Element>();
        detail::ReferenceWriter& references = detail::referencesOf<Element>(out);
        std::size_t count = 0;
        std::apply(
            [&](const auto&... counts) {
                if (!detail::multiplyLengths(count, counts...)) detail::failArrayCount();
                (out.writeCount(static_cast<std::size_t>(counts)), ...);
            },
            array.counts);
        references.writeArray<Element>(out, array.pointer, count);
    }

    static void read(IntReader& in, const Array& array) {
        detail::requireWritable<Element>();
        static_assert(std::is_default_constructible_v<Element>, "ferry: elements of an array need a default constructor to be read");
        detail::requireMadeReady<Element>();
        std::apply([&in](auto&... counts) { (detail::readLength(in, counts), ...); }, array.counts);
        std::size_t count = 0;
        if (!std::apply([&count](const auto&... counts) { return detail::multiplyLengths(count, counts...); }, array.counts)) {
            in.fail("an array that memory can hold", "one of more than 2^64 elements");
        }
        array.pointer = detail::referencesOf<Element>(in).template readArray<Element>(in, count);
    }
};

}    // namespace ferry
