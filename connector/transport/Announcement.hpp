#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry::detail {

/// The head of a packet that is too large to travel alone. The announcement holds the number of ints, the number of the transfer under
/// which they follow, and the arrays that are offered instead of sent. A small rest of a packet travels in the announcement itself. Layout:
/// docs/wire-format.md.
struct Announcement {
    struct Array {
        std::size_t place = 0;    ///< index of its first int in the packet
        std::size_t intCount = 0;
    };
    static constexpr std::size_t maxArrays = 64;

    std::size_t packetInts = 0;
    std::int32_t transfer = 0;
    std::vector<Array> arrays;               ///< in the order of their places; they do not overlap
    std::span<const std::int32_t> inside;    ///< all ints outside the arrays; empty: they follow, like the ints of a packet without arrays

    /// The number of ints that are in no array.
    std::size_t otherInts() const noexcept;

    /// Appends the announcement to out. The inside is written only when the announcement then has at most atMostInts ints. Returns whether
    /// the inside was written.
    bool write(IntBuffer& out, std::size_t atMostInts) const;

    /// Reads an announcement. Errors: SerializationError for ints that no write() has made.
    static Announcement read(std::span<const std::int32_t> ints);

    /// Moves ints that lie together at the start of the packet to their places between the arrays.
    void spread(std::int32_t* packet) const noexcept;
};

}    // namespace ferry::detail
