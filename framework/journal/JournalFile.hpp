#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include <ferry/framework/journal/JournalLayout.hpp>
#include <ferry/framework/journal/JournalLock.hpp>
#include <ferry/framework/journal/JournalReplay.hpp>
#include <ferry/serialization/file/FileDescriptor.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry::detail {

/// The file of a journal, open for one writer. The file is locked, and a torn end is cut off. When the constructor returns, the records of
/// earlier writers are on the disk.
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

    /// The layout of the file's chunks: an old journal keeps the layout that it has.
    JournalLayout layout() const noexcept { return JournalLayout(contents_.version); }
    /// Adds a chunk of two parts to the added chunks, which append() will write next. addedChunks: their number without this one.
    void addChunk(IntBuffer& added, std::uint64_t addedChunks, std::span<const std::int32_t> first,
                  std::span<const std::int32_t> second) const;

    /// Writes whole records at the end of the file. chunkCount: the number of their chunks.
    void append(std::span<const std::int32_t> ints, std::uint64_t chunkCount);
    /// Returns when all appended records are on the disk, and marks the file. Nothing may be added and not yet appended. After a failed
    /// flush all further ones fail, because the system may have dropped what it could not write.
    void flush();

    /// Appends the ints behind the claim of one chunk, which must be intCount, to a buffer without borrowed segments. Compares the checksum
    /// of the chunk. Errors: JournalError (Damaged).
    void readChunk(std::uint64_t offset, std::uint64_t chunk, std::size_t intCount, IntBuffer& ints) const;

private:
    static std::filesystem::path targetOf(const std::filesystem::path& path);
    bool open(const IntBuffer& beginning);
    void cutTornEnd();
    void secure();
    void flushFolder() const;
    void requireName() const;
    void mark() noexcept;
    void writeAt(std::uint64_t offset, std::span<const std::int32_t> ints) const;
    void readAt(std::uint64_t offset, std::span<std::int32_t> ints) const;
    [[noreturn]] void fail(const char* action) const;

    std::filesystem::path path_;
    JournalLock lock_;
    FileDescriptor file_;
    JournalContents contents_;
    int flushError_ = 0;    // errno of the flush that failed
};

}    // namespace ferry::detail
