#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <ferry/serialization/file/Checksum.hpp>

// The format of files, byte for byte: docs/wire-format.md. The format is frozen, because files of earlier versions hold these numbers.

namespace ferry::fileFormat {

/// The first bytes of every file, in both byte orders. All data after them are 32-bit ints.
inline constexpr std::array<unsigned char, 8> Magic{0x89, 'F', 'E', 'R', 'R', 'Y', '\r', '\n'};
/// The first int. A reader with the other byte order sees 0x04030201.
inline constexpr std::int32_t ByteOrderMark = 0x01020304;
inline constexpr std::int32_t SwappedByteOrderMark = 0x04030201;
/// The version of the files that save() writes. Journals have a later one. A reader knows all versions.
inline constexpr std::int32_t Version = 1;
inline constexpr std::int32_t JournalVersion = 2;
inline constexpr std::int32_t NewestVersion = 2;
/// Most ints of a chunk: 64 MiB. A reader never needs more memory at once.
inline constexpr std::size_t MaxChunkInts = std::size_t{1} << 24;

/// Number of ints of the start of a file, after the magic bytes: mark, version, number of ints of the description, check, checksum of the
/// description.
inline constexpr std::size_t StartInts = 6;
/// Number of ints before each chunk: number of ints, its check, checksum of the ints.
inline constexpr std::size_t HeadInts = 4;
/// Number of ints of the closing chunk, whose head has the number 0. The ints are the number of chunks and the number of ints in all
/// chunks.
inline constexpr std::size_t ClosingInts = 4;

/// Seeds of the checksums: one for the description, and one for each chunk. In version 1 the seed is the number of the chunk in the file.
/// In version 2 the seed is the offset of the chunk in bytes, so that a whole chunk can be told without those before it.
inline constexpr std::uint64_t DescriptionSeed = 0;
constexpr std::uint64_t seedOfChunk(std::size_t chunk) noexcept { return chunk + 1; }
constexpr std::uint64_t seedOf(std::int32_t version, std::size_t chunk, std::uint64_t offset) noexcept {
    return version == 1 ? seedOfChunk(chunk) : offset;
}

/// The check after ints that give a length.
inline std::int32_t checkOf(std::span<const std::int32_t> ints, std::uint64_t seed) noexcept {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(detail::checksumOf(ints, seed)));
}

/// Conversion between 64 bits and two ints, the low half first.
constexpr std::int32_t lowHalf(std::uint64_t number) noexcept { return static_cast<std::int32_t>(static_cast<std::uint32_t>(number)); }
constexpr std::int32_t highHalf(std::uint64_t number) noexcept {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(number >> 32));
}
constexpr std::uint64_t joined(std::int32_t low, std::int32_t high) noexcept {
    return static_cast<std::uint32_t>(low) | std::uint64_t{static_cast<std::uint32_t>(high)} << 32;
}

}    // namespace ferry::fileFormat
