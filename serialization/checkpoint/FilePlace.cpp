#include <ferry/serialization/checkpoint/FilePlace.hpp>

#include <sys/stat.h>

#include <cerrno>
#include <string>
#include <system_error>

#include <ferry/serialization/checkpoint/FileError.hpp>
#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

namespace {

bool isLinkToOpenFile(const std::filesystem::path& link) {
    const std::string folder = link.has_parent_path() ? link.parent_path().native() : ".";
    return platform::hasLinksToOpenFiles(folder.c_str());
}

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
        if (links == MostLinks) throw FileError::ofSystem(FileProblem::CannotWrite, path, "following the symbolic links", ELOOP);
        std::error_code error;
        const std::filesystem::path next = std::filesystem::read_symlink(place.target, error);
        if (error) throw FileError::ofSystem(FileProblem::CannotWrite, path, "reading the symbolic link", error.value());
        place.target = place.target.parent_path() / next;    // equals next if next is absolute
    }
    place.kind = S_ISREG(status.st_mode) ? Kind::File : S_ISDIR(status.st_mode) ? Kind::Folder : Kind::Stream;
    place.isPipe = S_ISFIFO(status.st_mode);
    return place;
}

}    // namespace ferry::detail
