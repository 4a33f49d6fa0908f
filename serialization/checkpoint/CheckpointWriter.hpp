#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include <ferry/serialization/checkpoint/FileDescription.hpp>
#include <ferry/serialization/checkpoint/ReplacementFile.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry {

/// Writes a file chunk by chunk, in as much memory as a chunk takes. The file takes its path when the last chunk is written and on the
/// disk; until then, and when the writer is destroyed before, the path names what it named (ReplacementFile).
///
/// Errors: FileError (CannotWrite), after which the writer can only be destroyed; UsageError for a chunk of more than 2^24 ints, and for
///         one behind the last.
class CheckpointWriter {
public:
    CheckpointWriter(const std::filesystem::path& path, const FileDescription& description);
    CheckpointWriter(const CheckpointWriter&) = delete;
    CheckpointWriter& operator=(const CheckpointWriter&) = delete;

    /// Writes the ints as one chunk, which readers get as it is. Of no ints: no chunk. The last one finishes the file.
    void put(std::span<const IntBuffer::Segment> chunk, bool isLast);
    void put(std::span<const std::int32_t> chunk, bool isLast);
    void put(const IntBuffer& chunk, bool isLast) { put(chunk.segments(), isLast); }

private:
    void writeChunk(std::span<const IntBuffer::Segment> pieces, std::size_t intCount);
    void finish();

    ReplacementFile file_;
    std::size_t chunkCount_ = 0;
    std::uint64_t intCount_ = 0;
    bool isFinished_ = false;
};

}    // namespace ferry
