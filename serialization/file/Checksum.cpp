#include <ferry/serialization/file/Checksum.hpp>

#define XXH_INLINE_ALL    // header-only: no library to link
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>

#include <ferry/serialization/ints/ByteOrder.hpp>

namespace ferry::detail {

namespace {

/// Adds ints whose bytes are not in the order of a file.
[[maybe_unused]] void addSwapped(XXH3_state_t& state, const std::byte* bytes, std::size_t intCount) noexcept {
    std::array<std::int32_t, 256> block;
    while (intCount != 0) {
        const std::size_t count = std::min(intCount, block.size());
        std::memcpy(block.data(), bytes, count * sizeof(std::int32_t));
        for (std::size_t i = 0; i < count; ++i) block[i] = inFileOrder(block[i]);
        XXH3_64bits_update(&state, block.data(), count * sizeof(std::int32_t));
        bytes += count * sizeof(std::int32_t);
        intCount -= count;
    }
}

}    // namespace

std::uint64_t checksumOf(std::span<const IntBuffer::Segment> pieces, std::uint64_t seed) noexcept {
    XXH3_state_t state{};    // initialised because resetting reads it
    XXH3_64bits_reset_withSeed(&state, seed);
    for (const IntBuffer::Segment& piece : pieces) {
        if constexpr (isBigEndian) {
            addSwapped(state, piece.bytes, piece.intCount);
        } else {
            XXH3_64bits_update(&state, piece.bytes, piece.intCount * sizeof(std::int32_t));
        }
    }
    return XXH3_64bits_digest(&state);
}

std::uint64_t checksumOf(std::span<const std::int32_t> ints, std::uint64_t seed) noexcept {
    if constexpr (isBigEndian) {
        const IntBuffer::Segment piece{reinterpret_cast<const std::byte*>(ints.data()), ints.size(), true};
        return checksumOf(std::span(&piece, 1), seed);
    }
    return XXH3_64bits_withSeed(ints.data(), ints.size_bytes(), seed);
}

}    // namespace ferry::detail
