#include <ferry/serialization/checkpoint/FileParts.hpp>

#include <fmt/format.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::fileFormat {

IntBuffer beginningOf(const FileDescription& description, std::int32_t version) {
    IntBuffer ints;
    IntWriter(ints) << description;
    if (ints.size() > MaxChunkInts)
        FERRY_THROW(UsageError(fmt::format("expected names of classes and types of at most {} ints, found {}", MaxChunkInts, ints.size())));
    std::array<std::int32_t, 2 + StartInts> start{};
    static_assert(sizeof(Magic) == 2 * sizeof(std::int32_t));
    detail::putElements<1>(start.data(), Magic.data(), sizeof(Magic));
    start[2] = ByteOrderMark;
    start[3] = version;
    start[4] = static_cast<std::int32_t>(ints.size());
    start[5] = checkOf(std::span(start).subspan(3, 2), DescriptionSeed);
    const std::uint64_t checksum = detail::checksumOf(ints.ints(), DescriptionSeed);
    start[6] = lowHalf(checksum);
    start[7] = highHalf(checksum);
    IntBuffer beginning(start);
    beginning.append(ints.ints());
    return beginning;
}

std::array<std::int32_t, HeadInts> headOfChunk(std::span<const IntBuffer::Segment> pieces, std::size_t intCount, std::uint64_t seed) {
    const std::uint64_t checksum = detail::checksumOf(pieces, seed);
    std::array<std::int32_t, HeadInts> head{static_cast<std::int32_t>(intCount), 0, lowHalf(checksum), highHalf(checksum)};
    head[1] = checkOf(std::span(head).first(1), seed);
    return head;
}

}    // namespace ferry::fileFormat
