#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

// The values of the ints are the same on all machines, and so is the place of each packed element in the value of its int. The bytes of an
// int lie in memory as those of any int of the machine. On a little-endian machine packed elements lie in the ints as in an array.

namespace ferry::detail {

static_assert(std::endian::native == std::endian::little || std::endian::native == std::endian::big, "no other byte order is known");
inline constexpr bool isBigEndian = std::endian::native == std::endian::big;

/// Whether an array of elements of GrainBytes bytes lies in memory as its ints. GrainBytes of a struct that is copied in one piece is 4.
template <std::size_t GrainBytes>
inline constexpr bool liesAsInts = !isBigEndian || GrainBytes == 4;

/// On a big-endian machine: the place in the ints for the byte at this place of an array of elements of GrainBytes bytes.
template <std::size_t GrainBytes>
constexpr std::size_t placeInInts(std::size_t place) noexcept {
    static_assert(GrainBytes == 1 || GrainBytes == 2 || GrainBytes == 4 || GrainBytes == 8);
    return place ^ (GrainBytes == 8 ? 4 : 4 - GrainBytes);
}

/// Copies elements into ints. The last int, if it is not filled by the elements, has been set to zero.
template <std::size_t GrainBytes>
void putElements(std::int32_t* ints, const void* elements, std::size_t byteCount) noexcept {
    if constexpr (liesAsInts<GrainBytes>) {
        std::memcpy(ints, elements, byteCount);
    } else {
        auto* target = reinterpret_cast<std::byte*>(ints);
        const auto* source = static_cast<const std::byte*>(elements);
        for (std::size_t i = 0; i < byteCount; ++i) target[placeInInts<GrainBytes>(i)] = source[i];
    }
}

/// Copies elements out of ints.
template <std::size_t GrainBytes>
void getElements(void* elements, const std::int32_t* ints, std::size_t byteCount) noexcept {
    if constexpr (liesAsInts<GrainBytes>) {
        std::memcpy(elements, ints, byteCount);
    } else {
        auto* target = static_cast<std::byte*>(elements);
        const auto* source = reinterpret_cast<const std::byte*>(ints);
        for (std::size_t i = 0; i < byteCount; ++i) target[i] = source[placeInInts<GrainBytes>(i)];
    }
}

/// The int with its bytes in the order of a file, which is little-endian; and back.
constexpr std::int32_t inFileOrder(std::int32_t value) noexcept {
    return isBigEndian ? static_cast<std::int32_t>(__builtin_bswap32(static_cast<std::uint32_t>(value))) : value;
}

}    // namespace ferry::detail
