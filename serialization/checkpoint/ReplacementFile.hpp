#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <ferry/serialization/checkpoint/FileDescriptor.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

struct iovec;

namespace ferry {

/// The one way in which Ferry and its applications make files: a file that takes the place of another when it is complete. Whatever
/// happens, also a crash, the path names the whole old file or the whole new one.
///
/// It is written in the same folder under a name of its own (.ferry-...), and locked as long as its writer lives. What a writer that was
/// killed has left behind is removed by the next one for the same path on the same host. Behind a symbolic link the file that it leads to
/// is replaced.
/// Rights: only its owner can open the file while it is written. At the end it gets the rights of the old file, or those of the umask.
/// Errors: FileError (CannotWrite); the old file is then as it was (but for "flushing the folder", after which the new one is in place).
class ReplacementFile {
public:
    enum class Flush {
        ToDisk,     ///< commit() returns when the file is on the disk: safe from the death of the machine
        ToSystem,    ///< safe from the death of the process
    };

    explicit ReplacementFile(const std::filesystem::path& path, Flush flush = Flush::ToDisk);
    /// Removes what was written, unless commit() has put it into place.
    ~ReplacementFile();
    ReplacementFile(const ReplacementFile&) = delete;
    ReplacementFile& operator=(const ReplacementFile&) = delete;

    const std::filesystem::path& path() const noexcept { return path_; }

    /// Appends the pieces. Borrows them for the call.
    void write(std::span<const IntBuffer::Segment> pieces);
    void write(std::span<const std::int32_t> ints);
    void write(std::string_view text);

    /// Puts the file into place.
    void commit();
    /// Does the same unless a file is there already. Then that file stays, and the result is false.
    bool commitIfNoneIsThere();

private:
    struct Unopened {};

    ReplacementFile(const std::filesystem::path& path, Flush flush, Unopened);
    void openFolder();
    void removeLeftovers() const;
    void create();
    bool lockNew();
    void writeVectors(iovec* next, const iovec* end);
    void startFlushing(std::size_t writtenBytes);
    void finish() const;
    void giveRights() const;
    void flushFolder() const;
    [[noreturn]] void fail(const char* action) const;

    std::filesystem::path path_;
    Flush flush_;
    std::string fileName_;    // of the file that is replaced
    std::string prefix_;      // of the names of all files that are to replace it
    std::string ownName_;     // empty: nothing is there to be removed
    FileDescriptor folder_;
    FileDescriptor file_;
    mode_t firstRights_ = 0;    // that the file system gave the new file
    std::uint64_t writtenBytes_ = 0;
    std::uint64_t flushingBytes_ = 0;    // of these, what the disk was asked for
};

}    // namespace ferry
