#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include <ferry/framework/journal/JournalLock.hpp>
#include <ferry/framework/journal/JournalReplay.hpp>
#include <ferry/serialization/checkpoint/FileDescriptor.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry::detail {

/// The file of a journal, open for one writer. The file is locked, and a torn end is cut off.
///
/// Errors: FileError: CannotRead, CannotWrite; those of replayJournal(); JournalError (InUse) when another process has not ended within the
///         patience. After a failed write the file is unchanged or has a torn end, and the write may be repeated.
class JournalFile {
public:
    /// Opens the file, or makes a new file with this description.
    JournalFile(const std::filesystem::path& path, const FileDescription& own, std::chrono::milliseconds lockPatience);

    /// The content at the time of opening. The caller may change it.
    JournalContents& contents() noexcept { return contents_; }

    /// The size of the file in bytes, and the number of its chunks.
    std::uint64_t byteCount() const noexcept { return contents_.wholeBytes; }
    std::uint64_t chunkCount() const noexcept { return contents_.chunkCount; }

    /// Writes the ints at the end of the file. They are whole records of chunkCount chunks.
    void append(std::span<const std::int32_t> ints, std::uint64_t chunkCount);
    /// Returns when all appended records are on the disk.
    void flush();

    /// Appends the ints of one chunk, which must be intCount, to a buffer without borrowed segments. Compares the checksum of the chunk.
    /// Errors: JournalError (Damaged).
    void readChunk(std::uint64_t offset, std::uint64_t chunk, std::size_t intCount, IntBuffer& ints) const;

private:
    static std::filesystem::path targetOf(const std::filesystem::path& path);
    void open(const IntBuffer& beginning);
    void cutTornEnd();
    void writeAt(std::uint64_t offset, std::span<const std::int32_t> ints) const;
    void readAt(std::uint64_t offset, std::span<std::int32_t> ints) const;
    [[noreturn]] void fail(const char* action) const;

    std::filesystem::path path_;
    JournalLock lock_;
    FileDescriptor file_;
    JournalContents contents_;
};

}    // namespace ferry::detail
