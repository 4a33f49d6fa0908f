#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry {

/// The head of a packet that is too large to travel alone: how many ints it has, under which number they follow, and which
/// arrays of it are offered instead of sent. Small rests of a packet travel in the announcement itself. Layout: docs/wire-format.md.
struct Announcement {
    struct Array {
        std::size_t place = 0;    ///< of its first int in the packet
        std::size_t intCount = 0;
    };
    static constexpr std::size_t maxArrays = 64;

    std::size_t packetInts = 0;
    std::int32_t transfer = 0;
    std::vector<Array> arrays;               ///< in the order of their places; they do not overlap
    std::span<const std::int32_t> inside;    ///< all ints but those of arrays; empty: they follow, like those of a packet without arrays

    /// The number of ints that are in no array.
    std::size_t otherInts() const noexcept;

    /// Appends it. The inside travels when it fits into so many ints in all. Returns whether it does.
    bool write(IntBuffer& out, std::size_t atMostInts) const;

    /// Errors: SerializationError for what no write() has made.
    static Announcement read(std::span<const std::int32_t> ints);

    /// Moves ints that lie together at the start of the packet to their places between the arrays.
    void spread(std::int32_t* packet) const noexcept;
};

}    // namespace ferry
