#pragma once

#include <filesystem>

namespace ferry {

/// The file that a path leads to, through all symbolic links.
///
/// Errors: FileError (CannotWrite) for a zero byte in the path, links that lead in a circle, and a place that cannot be asked for.
struct FilePlace {
    enum class Kind {
        Nothing,    ///< no file yet
        File,       ///< a regular file
        Folder,
        Stream,    ///< a pipe, a device, a socket, or a file that a process has open (/dev/stdout, /proc/self/fd/1)
    };

    static FilePlace of(const std::filesystem::path& path);

    std::filesystem::path target;    ///< the path that a new file replaces; of a Stream the path to be opened
    Kind kind = Kind::Nothing;
    bool isPipe = false;    ///< of a Stream: it has a name, and waits for a reader
};

}    // namespace ferry
