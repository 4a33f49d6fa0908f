#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <ferry/serialization/checkpoint/FileDescription.hpp>
#include <ferry/serialization/checkpoint/FileFormat.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry::fileFormat {

/// The beginning of a file: magic bytes, start and description. Errors: UsageError for a description of more than MaxChunkInts ints.
IntBuffer beginningOf(const FileDescription& description, std::int32_t version = Version);

/// The ints before a chunk. intCount: 0 for the closing chunk. seed: that of seedOf().
std::array<std::int32_t, HeadInts> headOfChunk(std::span<const IntBuffer::Segment> pieces, std::size_t intCount, std::uint64_t seed);

/// A piece that borrows the ints.
inline IntBuffer::Segment pieceOf(std::span<const std::int32_t> ints) noexcept {
    return {reinterpret_cast<const std::byte*>(ints.data()), ints.size(), true};
}

}    // namespace ferry::fileFormat
