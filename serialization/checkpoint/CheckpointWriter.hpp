#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <ferry/serialization/checkpoint/FileDescription.hpp>
#include <ferry/serialization/file/PathName.hpp>
#include <ferry/serialization/file/ReplacementFile.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry {

/// Writes a file chunk by chunk. Its memory is that of one chunk. The file takes its path when the last chunk is written and on the disk.
/// Until then, or if the writer is destroyed earlier, the path names the old file, if there is one (ReplacementFile).
///
/// Errors: FileError (CannotWrite), after which the writer can only be destroyed: it refuses everything else with UsageError, so that a
///         file that lacks a part never takes the path. UsageError for a chunk of more than 2^24 ints, and for a chunk after the last one.
class CheckpointWriter {
public:
    CheckpointWriter(const detail::PathName& path, const FileDescription& description);
    CheckpointWriter(const CheckpointWriter&) = delete;
    CheckpointWriter& operator=(const CheckpointWriter&) = delete;

    /// Writes the ints as one chunk, which readers get unchanged. Without ints, writes no chunk. isLast: finishes the file.
    void put(std::span<const IntBuffer::Segment> chunk, bool isLast);
    void put(std::span<const std::int32_t> chunk, bool isLast);
    void put(const IntBuffer& chunk, bool isLast) { put(chunk.segments(), isLast); }

    const std::filesystem::path& path() const noexcept { return file_.path(); }

private:
    void writeChunk(std::span<const IntBuffer::Segment> pieces, std::size_t intCount);
    void finish();

    detail::ReplacementFile file_;
    std::size_t chunkCount_ = 0;
    std::uint64_t intCount_ = 0;
    bool isFinished_ = false;
    bool canGoOn_ = true;    ///< false: an error may have cut a chunk
};

}    // namespace ferry
