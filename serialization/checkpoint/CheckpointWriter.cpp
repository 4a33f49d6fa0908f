#include <ferry/serialization/checkpoint/CheckpointWriter.hpp>

#include <array>
#include <filesystem>

#include <fmt/format.h>

#include <ferry/serialization/checkpoint/FileParts.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace format = fileFormat;

CheckpointWriter::CheckpointWriter(const detail::PathName& path, const FileDescription& description) : file_(path) {
    file_.write(format::beginningOf(description).ints());
}

void CheckpointWriter::put(std::span<const std::int32_t> chunk, bool isLast) {
    const IntBuffer::Segment piece = format::pieceOf(chunk);
    put(std::span(&piece, 1), isLast);
}

void CheckpointWriter::put(std::span<const IntBuffer::Segment> chunk, bool isLast) {
    std::size_t intCount = 0;
    for (const IntBuffer::Segment& piece : chunk) intCount += piece.intCount;
    if (isFinished_) FERRY_THROW(UsageError("expected no chunk behind the last one"));
    if (!canGoOn_) {
        FERRY_THROW(
            UsageError(fmt::format("{}: expected no chunk after an error in writing: destroy the writer, which leaves the old file, "
                                   "and write the file anew",
                                   path().native())));
    }
    if (intCount > format::MaxChunkInts)
        FERRY_THROW(UsageError(fmt::format("expected a chunk of at most {} ints, found {}", format::MaxChunkInts, intCount)));
    canGoOn_ = false;
    if (intCount != 0) {
        writeChunk(chunk, intCount);
        ++chunkCount_;
        intCount_ += intCount;
    }
    if (isLast) finish();
    canGoOn_ = true;
}

/// Writes the head of a chunk and its pieces. intCount: 0 for the closing chunk.
void CheckpointWriter::writeChunk(std::span<const IntBuffer::Segment> pieces, std::size_t intCount) {
    const auto head = format::headOfChunk(pieces, intCount, format::seedOfChunk(chunkCount_));
    file_.write(head);
    file_.write(pieces);
}

void CheckpointWriter::finish() {
    const std::array<std::int32_t, format::ClosingInts> closing{format::lowHalf(chunkCount_), format::highHalf(chunkCount_),
                                                                format::lowHalf(intCount_), format::highHalf(intCount_)};
    const IntBuffer::Segment piece = format::pieceOf(closing);
    writeChunk(std::span(&piece, 1), 0);
    isFinished_ = true;
    file_.commit();
}

}    // namespace ferry
