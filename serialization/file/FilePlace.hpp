#pragma once

#include <sys/types.h>
#include <filesystem>

namespace ferry::detail {

/// The target of a path, after following all symbolic links.
///
/// Errors: FileError (CannotWrite) for a zero byte in the path, for links in a cycle, for a place that cannot be examined, and for a link
/// or
///         pipe that may be a trap.
struct FilePlace {
    enum class Kind {
        Nothing,    ///< there is no file yet
        File,       ///< a regular file
        Folder,
        Stream,    ///< a pipe, a device, a socket, or a file that a process has open (/dev/stdout, /proc/self/fd/1)
    };

    static FilePlace of(const std::filesystem::path& path);

    /// Whether another user may have prepared a file to read, or to redirect, what this user writes. Such a file lies in a folder where
    /// several users may make files (/tmp), and belongs neither to this user nor to the folder's owner.
    static bool isTrap(const std::filesystem::path& file, uid_t owner) noexcept;
    /// Throws FileError (CannotWrite) if the file may be a trap. noun: such as "a pipe".
    static void requireNoTrap(const std::filesystem::path& path, const std::filesystem::path& file, uid_t owner, const char* noun);

    std::filesystem::path target;    ///< the path that a new file replaces; for a Stream: the path to open
    Kind kind = Kind::Nothing;
    bool isPipe = false;    ///< for a Stream: a pipe, which can be opened only while it has a reader
};

}    // namespace ferry::detail
