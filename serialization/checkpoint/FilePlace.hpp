#pragma once

#include <filesystem>

namespace ferry::detail {

/// The target of a path, after following all symbolic links.
///
/// Errors: FileError (CannotWrite) for a zero byte in the path, for links in a cycle, and for a place that cannot be examined.
struct FilePlace {
    enum class Kind {
        Nothing,    ///< there is no file yet
        File,       ///< a regular file
        Folder,
        Stream,    ///< a pipe, a device, a socket, or a file that a process has open (/dev/stdout, /proc/self/fd/1)
    };

    static FilePlace of(const std::filesystem::path& path);

    std::filesystem::path target;    ///< the path that a new file replaces; for a Stream: the path to open
    Kind kind = Kind::Nothing;
    bool isPipe = false;    ///< for a Stream: a pipe, which can be opened only while it has a reader
};

}    // namespace ferry::detail
