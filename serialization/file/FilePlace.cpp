#include <ferry/serialization/file/FilePlace.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include <ferry/serialization/file/FileError.hpp>
#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

namespace {

std::string folderOf(const std::filesystem::path& file) { return file.has_parent_path() ? file.parent_path().native() : std::string("."); }

/// A link in /proc stands for a file that a process has open, whatever name the link shows.
bool isLinkToOpenFile(const std::filesystem::path& link) { return platform::hasLinksToOpenFiles(folderOf(link).c_str()); }

}    // namespace

FilePlace FilePlace::of(const std::filesystem::path& path) {
    FileError::requireName(FileProblem::CannotWrite, path);
    constexpr int MostLinks = 40;
    FilePlace place{path};
    struct stat status {};
    for (int links = 0;; ++links) {
        if (::lstat(place.target.c_str(), &status) != 0) {
            if (errno == ENOENT) return place;
            throw FileError::ofSystem(FileProblem::CannotWrite, path, "looking for the file", errno);
        }
        if (!S_ISLNK(status.st_mode)) break;
        if (isLinkToOpenFile(place.target)) {
            if (::stat(place.target.c_str(), &status) != 0)
                throw FileError::ofSystem(FileProblem::CannotWrite, path, "looking for the file", errno);
            place.kind = S_ISDIR(status.st_mode) ? Kind::Folder : Kind::Stream;
            place.isPipe = S_ISFIFO(status.st_mode);
            return place;
        }
        requireNoTrap(path, place.target, status.st_uid, "a symbolic link");
        if (links == MostLinks) throw FileError::ofSystem(FileProblem::CannotWrite, path, "following the symbolic links", ELOOP);
        std::error_code error;
        const std::filesystem::path next = std::filesystem::read_symlink(place.target, error);
        if (error) throw FileError::ofSystem(FileProblem::CannotWrite, path, "reading the symbolic link", error.value());
        place.target = place.target.parent_path() / next;    // equals next if next is absolute
    }
    place.kind = S_ISREG(status.st_mode) ? Kind::File : S_ISDIR(status.st_mode) ? Kind::Folder : Kind::Stream;
    place.isPipe = S_ISFIFO(status.st_mode);
    if (place.isPipe) requireNoTrap(path, place.target, status.st_uid, "a pipe");
    return place;
}

// Linux has these rules for its own calls (fs.protected_symlinks and the like). They do not hold for links that a program reads itself.
bool FilePlace::isTrap(const std::filesystem::path& file, uid_t owner) noexcept {
    if (owner == ::geteuid()) return false;
    struct stat folder {};
    if (::stat(folderOf(file).c_str(), &folder) != 0) return true;
    return (folder.st_mode & S_ISVTX) != 0 && (folder.st_mode & (S_IWGRP | S_IWOTH)) != 0 && owner != folder.st_uid;
}

void FilePlace::requireNoTrap(const std::filesystem::path& path, const std::filesystem::path& file, uid_t owner, const char* noun) {
    if (!isTrap(file, owner)) return;
    throw FileError(
        FileProblem::CannotWrite, path,
        fmt::format("expected nothing of another user in a folder where others may make files, found {} of user {}: use another "
                    "folder",
                    noun, owner),
        FileError::NoChunk);
}

}    // namespace ferry::detail
