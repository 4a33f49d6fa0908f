#pragma once

#include <cstdint>
#include <span>

#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry::detail {

/// 64-bit XXH3 with this seed, over the ints of all pieces in little-endian byte order (docs/wire-format.md).
std::uint64_t checksumOf(std::span<const IntBuffer::Segment> pieces, std::uint64_t seed) noexcept;
std::uint64_t checksumOf(std::span<const std::int32_t> ints, std::uint64_t seed) noexcept;

}    // namespace ferry::detail
