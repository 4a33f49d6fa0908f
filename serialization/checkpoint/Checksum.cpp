#include <ferry/serialization/checkpoint/Checksum.hpp>

#define XXH_INLINE_ALL    // header-only: no library to link
#include <xxhash.h>

namespace ferry::detail {

std::uint64_t checksumOf(std::span<const IntBuffer::Segment> pieces, std::uint64_t seed) noexcept {
    XXH3_state_t state{};    // initialised because resetting reads it
    XXH3_64bits_reset_withSeed(&state, seed);
    for (const IntBuffer::Segment& piece : pieces) XXH3_64bits_update(&state, piece.bytes, piece.intCount * sizeof(std::int32_t));
    return XXH3_64bits_digest(&state);
}

std::uint64_t checksumOf(std::span<const std::int32_t> ints, std::uint64_t seed) noexcept {
    return XXH3_64bits_withSeed(ints.data(), ints.size_bytes(), seed);
}

}    // namespace ferry::detail
