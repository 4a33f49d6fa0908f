#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <ferry/serialization/Codec.hpp>

namespace ferry::detail {

/// A copy that left its device. A pointer is the place in the image to which it leads, plus 1; null is 0.
struct DeviceImage {
    std::string type;          ///< of the root
    std::uint64_t root = 0;    ///< place of the root
    std::vector<std::byte> bytes;
    std::vector<std::uint64_t> pointers;    ///< their places, ascending, each a multiple of 8
    std::uint64_t arrayBytes = 0;           ///< bytes without pointers that lie behind the bytes, and travel apart

    void writeToInts(IntWriter& out) const;
    /// Errors: SerializationError for places outside of the image.
    void readFromInts(IntReader& in);

    /// For an image whose arrays travel apart.
    void writeHeadToInts(IntWriter& out) const;
    void readHeadFromInts(IntReader& in);

    std::uint64_t allBytes() const noexcept { return bytes.size() + arrayBytes; }

private:
    void requirePlacesWithin(IntReader& in) const;
};

}    // namespace ferry::detail
