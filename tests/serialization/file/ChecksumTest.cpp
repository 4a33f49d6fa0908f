#include <ferry/serialization/file/Checksum.hpp>

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

namespace {

ferry::IntBuffer::Segment segmentOf(std::span<const std::int32_t> ints) {
    return {reinterpret_cast<const std::byte*>(ints.data()), ints.size(), true};
}

}    // namespace

TEST_CASE("Checksum: it is XXH3 with 64 bits, as files of earlier versions have it") {
    CHECK(ferry::detail::checksumOf(std::span<const std::int32_t>(), 0) == 0x2d06800538d394c2u);
    const std::array<std::int32_t, 3> ints{1, -2, 0x32312d42};
    CHECK(ferry::detail::checksumOf(ints, 0) == 15765816769824905081u);
    CHECK(ferry::detail::checksumOf(ints, 7) == 1867806591978450079u);
}

TEST_CASE("Checksum: pieces have that of all their ints in a row") {
    std::vector<std::int32_t> ints(1000);
    std::iota(ints.begin(), ints.end(), -5);
    const std::span<const std::int32_t> all(ints);
    for (const std::size_t cut : {0u, 1u, 17u, 500u, 1000u}) {
        const std::array pieces{segmentOf(all.first(cut)), segmentOf(all.subspan(cut))};
        for (const std::uint64_t seed : {0u, 1u, 99u})
            CHECK(ferry::detail::checksumOf(pieces, seed) == ferry::detail::checksumOf(all, seed));
    }
    CHECK(ferry::detail::checksumOf(all, 1) != ferry::detail::checksumOf(all, 2));
}
