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

namespace ferry {

/// The file of a journal, open for one writer: it is locked, and what was torn is cut off.
///
/// Errors: FileError: CannotRead, CannotWrite; those of replayJournal(); JournalError (InUse) when another process has not ended within the
///         patience. After an error of a write the file is as it was, or has a torn end, and the write may be repeated.
class JournalFile {
public:
    /// Opens the file, or makes a new one of this description.
    JournalFile(const std::filesystem::path& path, const FileDescription& own, std::chrono::milliseconds lockPatience);

    /// What it held when it was opened. The caller may change it.
    JournalContents& contents() noexcept { return contents_; }

    /// How many bytes, and chunks, are in it.
    std::uint64_t byteCount() const noexcept { return contents_.wholeBytes; }
    std::uint64_t chunkCount() const noexcept { return contents_.chunkCount; }

    /// Writes the ints, which are whole records of so many chunks, at the end.
    void append(std::span<const std::int32_t> ints, std::uint64_t chunkCount);
    /// Returns when all that was appended is on the disk.
    void flush();

    /// Appends the ints of one chunk, of which there must be so many, to a buffer that has none borrowed; its checksum is compared.
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

}    // namespace ferry
