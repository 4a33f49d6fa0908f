#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <ferry/serialization/checkpoint/Checksum.hpp>

// The format of files, byte for byte: docs/wire-format.md. Frozen: files of earlier versions hold these numbers.

namespace ferry::fileFormat {

/// The first bytes of every file, in both byte orders. What follows is 32-bit ints.
inline constexpr std::array<unsigned char, 8> Magic{0x89, 'F', 'E', 'R', 'R', 'Y', '\r', '\n'};
/// The first int; a reader of the other byte order sees 0x04030201.
inline constexpr std::int32_t ByteOrderMark = 0x01020304;
inline constexpr std::int32_t SwappedByteOrderMark = 0x04030201;
inline constexpr std::int32_t Version = 1;
/// So much memory is what a reader may be asked for at once: 64 MiB.
inline constexpr std::size_t MaxChunkInts = std::size_t{1} << 24;

/// Ints of the start of a file behind the magic: mark, version, number of ints of the description, their check, checksum of the
/// description.
inline constexpr std::size_t StartInts = 6;
/// Ints before each chunk: number of ints, its check, checksum of the ints.
inline constexpr std::size_t HeadInts = 4;
/// Ints of the closing chunk, which says that it has none: number of chunks, number of ints in all.
inline constexpr std::size_t ClosingInts = 4;

/// Seeds of checksums: the description, and the chunks by their place in the file.
inline constexpr std::uint64_t DescriptionSeed = 0;
constexpr std::uint64_t seedOfChunk(std::size_t chunk) noexcept { return chunk + 1; }

/// The check int behind ints which announce a length.
inline std::int32_t checkOf(std::span<const std::int32_t> ints, std::uint64_t seed) noexcept {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(checksumOf(ints, seed)));
}

/// 64 bits as two ints, the low half first.
constexpr std::int32_t lowHalf(std::uint64_t number) noexcept { return static_cast<std::int32_t>(static_cast<std::uint32_t>(number)); }
constexpr std::int32_t highHalf(std::uint64_t number) noexcept {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(number >> 32));
}
constexpr std::uint64_t joined(std::int32_t low, std::int32_t high) noexcept {
    return static_cast<std::uint32_t>(low) | std::uint64_t{static_cast<std::uint32_t>(high)} << 32;
}

}    // namespace ferry::fileFormat
