#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <ferry/serialization/file/FileDescriptor.hpp>
#include <ferry/serialization/file/HeldPath.hpp>
#include <ferry/serialization/file/PathName.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

struct iovec;

namespace ferry::detail {

/// A file that replaces another file when it is complete. Ferry and its applications make all their files but the journal in this way. At
/// any time, even after a crash, the path names the whole old file or the whole new one.
///
/// The new file is written in the same folder under a temporary name (.ferry-...). The file is locked as long as its writer lives. If a
/// writer is killed, the next writer for the same path on the same host removes its file. If the path is a symbolic link, the target of the
/// link is replaced.
/// Rights: only its owner can open the file while it is written. At the end it gets the rights of the old file, or those of the umask.
/// Errors: FileError (CannotWrite). The old file is then unchanged. Exception: after "flushing the folder" fails, the new file is in place.
class ReplacementFile {
public:
    enum class Flush {
        ToDisk,      ///< commit() returns when the file is on the disk; survives a crash of the machine
        ToSystem,    ///< survives a crash of the process
    };

    explicit ReplacementFile(const PathName& path, Flush flush = Flush::ToDisk);
    /// Removes the new file, unless commit() has put it into place.
    ~ReplacementFile();
    ReplacementFile(const ReplacementFile&) = delete;
    ReplacementFile& operator=(const ReplacementFile&) = delete;

    const std::filesystem::path& path() const noexcept { return path_.path(); }

    /// Appends the pieces. Borrows them for the call.
    void write(std::span<const IntBuffer::Segment> pieces);
    void write(std::span<const std::int32_t> ints);
    void write(std::string_view text);

    /// Puts the file into place.
    void commit();
    /// Puts the file into place if the path names no file. Otherwise returns false and keeps the existing file.
    bool commitIfNoneIsThere();

private:
    struct Unopened {};

    ReplacementFile(const PathName& path, Flush flush, Unopened);
    void openFolder();
    void removeLeftovers() const;
    void create();
    bool lockNew();
    void writeSwapped(const IntBuffer::Segment& piece);
    void writeVectors(iovec* next, const iovec* end);
    void startFlushing(std::size_t writtenBytes);
    void finish() const;
    void giveRights() const;
    void flushFolder() const;
    [[noreturn]] void fail(const char* action) const;

    HeldPath path_;
    Flush flush_;
    std::string fileName_;    // name of the file that is replaced
    std::string prefix_;      // prefix of the temporary names of all files that may replace it
    std::string ownName_;     // empty: there is no temporary file to remove
    FileDescriptor folder_;
    FileDescriptor file_;
    mode_t firstRights_ = 0;    // the rights that the file system gave the new file
    std::uint64_t writtenBytes_ = 0;
    std::uint64_t flushingBytes_ = 0;    // the first bytes, for which a flush was started
};

}    // namespace ferry::detail
