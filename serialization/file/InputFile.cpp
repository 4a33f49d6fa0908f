#include <ferry/serialization/file/InputFile.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include <fmt/format.h>

#include <ferry/serialization/file/Disk.hpp>
#include <ferry/serialization/file/FileError.hpp>

namespace ferry::detail {

InputFile::InputFile(const PathName& path) : path_(path) {
    FileError::requireName(FileProblem::CannotRead, path_);
    file_ = FileDescriptor(
        ::open(path_.native().c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));    // else opening a pipe would wait for its writer
    struct stat status {};
    if (!file_.isOpen()) throw FileError::ofSystem(FileProblem::CannotRead, path_, "opening", errno);
    if (::fstat(file_.number(), &status) != 0) throw FileError::ofSystem(FileProblem::CannotRead, path_, "asking for the length", errno);
    if (!S_ISREG(status.st_mode)) throw FileError::ofOtherKind(FileProblem::CannotRead, path_, S_ISDIR(status.st_mode));
    byteCount_ = static_cast<std::uint64_t>(status.st_size);
}

void InputFile::require(std::uint64_t bytes, std::size_t chunk, std::string_view what) const {
    if (bytes > bytesLeft()) failTruncated(bytes, bytesLeft(), chunk, what);
}

void InputFile::read(std::span<std::byte> bytes, std::size_t chunk, std::string_view what) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = Disk::ofThisThread().read(file_.number(), bytes.subspan(done));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw FileError::ofSystem(FileProblem::CannotRead, path_, "reading", errno);
        if (count == 0) failTruncated(bytes.size(), done, chunk, what);    // the file has become shorter
        done += static_cast<std::size_t>(count);
    }
    position_ += done;
}

void InputFile::readAt(std::uint64_t offset, std::span<std::byte> bytes) const {
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t count = Disk::ofThisThread().readAt(file_.number(), bytes.subspan(done), static_cast<off_t>(offset + done));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw FileError::ofSystem(FileProblem::CannotRead, path_, "reading", errno);
        if (count == 0) failTruncated(bytes.size(), done, FileError::NoChunk, "bytes in its middle");
        done += static_cast<std::size_t>(count);
    }
}

void InputFile::failTruncated(std::uint64_t bytes, std::uint64_t found, std::size_t chunk, std::string_view what) const {
    const std::string place = chunk == FileError::NoChunk ? std::string() : fmt::format(" (chunk {})", chunk);
    throw FileError(FileProblem::Truncated, path_,
                    fmt::format("the file is truncated: expected {} bytes for {}{}, found {}", bytes, what, place, found), chunk);
}

}    // namespace ferry::detail
