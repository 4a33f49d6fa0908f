#include <ferry/connector/transport/Announcement.hpp>

#include <cstring>
#include <limits>

#include <fmt/format.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>

namespace ferry::detail {

namespace {

// The largest number of ints in a packet. More ints cannot be addressed in bytes.
constexpr std::uint64_t mostInts = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(std::int32_t);

std::size_t readSize(IntReader& in, std::uint64_t most) {
    const auto size = static_cast<std::uint64_t>(in.readInt64());
    if (size > most) in.fail(fmt::format("at most {} ints", most), fmt::format("{}", size));
    return static_cast<std::size_t>(size);
}

}    // namespace

std::size_t Announcement::otherInts() const noexcept {
    std::size_t intCount = packetInts;
    for (const Array& array : arrays) intCount -= array.intCount;
    return intCount;
}

bool Announcement::write(IntBuffer& out, std::size_t atMostInts) const {
    IntWriter writer(out);
    writer.writeInt64(static_cast<std::int64_t>(packetInts));
    writer.writeInt(transfer);
    writer.writeInt(static_cast<std::int32_t>(arrays.size()));
    for (const Array& array : arrays) {
        writer.writeInt64(static_cast<std::int64_t>(array.place));
        writer.writeInt64(static_cast<std::int64_t>(array.intCount));
    }
    const bool fits = writer.position() + inside.size() <= atMostInts;
    if (fits) writer.writeInts(inside);
    return fits;
}

Announcement Announcement::read(std::span<const std::int32_t> ints) {
    IntReader in(ints);
    Announcement announcement;
    announcement.packetInts = readSize(in, mostInts);
    announcement.transfer = in.readInt();
    const std::size_t arrayCount = in.readCount(4);
    if (announcement.transfer < 0) in.fail("a number of a transfer", fmt::format("{}", announcement.transfer));
    if (arrayCount > maxArrays) in.fail(fmt::format("at most {} arrays", maxArrays), fmt::format("{}", arrayCount));
    std::size_t end = 0;
    for (std::size_t i = 0; i < arrayCount; ++i) {
        Array array;
        array.place = readSize(in, announcement.packetInts);
        array.intCount = readSize(in, announcement.packetInts - array.place);
        if (array.place < end || array.intCount == 0)
            in.fail("arrays that follow each other", fmt::format("{} ints at {}", array.intCount, array.place));
        end = array.place + array.intCount;
        announcement.arrays.push_back(array);
    }
    announcement.inside = ints.subspan(in.position());
    if (!announcement.inside.empty() && (arrayCount == 0 || announcement.inside.size() != announcement.otherInts()))
        in.fail(fmt::format("the {} ints that are in no array", announcement.otherInts()), fmt::format("{}", announcement.inside.size()));
    return announcement;
}

void Announcement::spread(std::int32_t* packet) const noexcept {
    std::size_t sourceEnd = otherInts();
    std::size_t end = packetInts;
    for (auto array = arrays.rbegin(); array != arrays.rend(); ++array) {
        const std::size_t behind = end - (array->place + array->intCount);
        sourceEnd -= behind;
        std::memmove(packet + end - behind, packet + sourceEnd, behind * sizeof(std::int32_t));
        end = array->place;
    }
}

}    // namespace ferry::detail
