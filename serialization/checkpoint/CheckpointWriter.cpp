#include <ferry/serialization/checkpoint/CheckpointWriter.hpp>

#include <array>
#include <cstring>

#include <fmt/format.h>

#include <ferry/serialization/checkpoint/FileFormat.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace format = fileFormat;

CheckpointWriter::CheckpointWriter(const std::filesystem::path& path, const FileDescription& description) : file_(path) {
    IntBuffer ints;
    IntWriter(ints) << description;
    if (ints.size() > format::MaxChunkInts)
        FERRY_THROW(
            UsageError(fmt::format("expected names of classes and types of at most {} ints, found {}", format::MaxChunkInts, ints.size())));
    std::array<std::int32_t, 2 + format::StartInts> start{};
    static_assert(sizeof(format::Magic) == 2 * sizeof(std::int32_t));
    std::memcpy(start.data(), format::Magic.data(), sizeof(format::Magic));
    start[2] = format::ByteOrderMark;
    start[3] = format::Version;
    start[4] = static_cast<std::int32_t>(ints.size());
    start[5] = format::checkOf(std::span(start).subspan(3, 2), format::DescriptionSeed);
    const std::uint64_t checksum = checksumOf(ints.ints(), format::DescriptionSeed);
    start[6] = format::lowHalf(checksum);
    start[7] = format::highHalf(checksum);
    file_.write(start);
    file_.write(ints.ints());
}

void CheckpointWriter::put(std::span<const std::int32_t> chunk, bool isLast) {
    const IntBuffer::Segment piece{reinterpret_cast<const std::byte*>(chunk.data()), chunk.size(), true};
    put(std::span(&piece, 1), isLast);
}

void CheckpointWriter::put(std::span<const IntBuffer::Segment> chunk, bool isLast) {
    std::size_t intCount = 0;
    for (const IntBuffer::Segment& piece : chunk) intCount += piece.intCount;
    if (isFinished_) FERRY_THROW(UsageError("expected no chunk behind the last one"));
    if (intCount > format::MaxChunkInts)
        FERRY_THROW(UsageError(fmt::format("expected a chunk of at most {} ints, found {}", format::MaxChunkInts, intCount)));
    if (intCount != 0) {
        writeChunk(chunk, intCount);
        ++chunkCount_;
        intCount_ += intCount;
    }
    if (isLast) finish();
}

/// The head of a chunk, and its pieces; intCount 0 for the closing chunk.
void CheckpointWriter::writeChunk(std::span<const IntBuffer::Segment> pieces, std::size_t intCount) {
    const std::uint64_t seed = format::seedOfChunk(chunkCount_);
    const std::uint64_t checksum = checksumOf(pieces, seed);
    std::array<std::int32_t, format::HeadInts> head{static_cast<std::int32_t>(intCount), 0, format::lowHalf(checksum),
                                                    format::highHalf(checksum)};
    head[1] = format::checkOf(std::span(head).first(1), seed);
    file_.write(head);
    file_.write(pieces);
}

void CheckpointWriter::finish() {
    const std::array<std::int32_t, format::ClosingInts> closing{format::lowHalf(chunkCount_), format::highHalf(chunkCount_),
                                                                format::lowHalf(intCount_), format::highHalf(intCount_)};
    const IntBuffer::Segment piece{reinterpret_cast<const std::byte*>(closing.data()), closing.size(), true};
    writeChunk(std::span(&piece, 1), 0);
    isFinished_ = true;
    file_.commit();
}

}    // namespace ferry
