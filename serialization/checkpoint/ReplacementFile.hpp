#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include <ferry/serialization/IntBuffer.hpp>
#include <ferry/serialization/checkpoint/FileDescriptor.hpp>

namespace ferry {

/// A file that takes the place of another when it is complete: whatever happens, also a crash, the path names the whole old file or the
/// whole new one.
///
/// It is written in the same folder under a name of its own (.ferry-...), and locked as long as its writer lives. What a writer that was
/// killed has left behind is removed by the next one for the same path on the same host. The new file has the permissions of the old one;
/// behind a symbolic link the file that it leads to is replaced.
/// Errors: FileError (CannotWrite); the old file is then as it was (but for "flushing the folder", after which the new one is in place).
class ReplacementFile {
public:
    explicit ReplacementFile(const std::filesystem::path& path);
    /// Removes what was written, unless commit() has put it into place.
    ~ReplacementFile();
    ReplacementFile(const ReplacementFile&) = delete;
    ReplacementFile& operator=(const ReplacementFile&) = delete;

    const std::filesystem::path& path() const noexcept { return path_; }

    /// Appends the pieces. Borrows them for the call.
    void write(std::span<const IntBuffer::Segment> pieces);
    void write(std::span<const std::int32_t> ints);

    /// Puts the file into place, and returns when it is on the disk.
    void commit();

private:
    struct Unopened {};

    ReplacementFile(const std::filesystem::path& path, Unopened);
    void openFolder();
    void removeLeftovers() const;
    void create();
    void takePermissions() const;
    void startFlushing(std::size_t writtenBytes);
    [[noreturn]] void fail(const char* action) const;

    std::filesystem::path path_;
    std::string fileName_;    // of the file that is replaced
    std::string prefix_;      // of the names of all files that are to replace it
    std::string ownName_;     // empty: nothing is there to be removed
    FileDescriptor folder_;
    FileDescriptor file_;
    std::uint64_t writtenBytes_ = 0;
    std::uint64_t flushingBytes_ = 0;    // of these, what the disk was asked for
};

}    // namespace ferry
