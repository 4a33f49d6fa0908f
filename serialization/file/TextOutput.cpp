#include <ferry/serialization/file/TextOutput.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>

#include <ferry/serialization/file/FileDescriptor.hpp>
#include <ferry/serialization/file/FileError.hpp>
#include <ferry/serialization/file/FilePlace.hpp>
#include <ferry/serialization/file/QuietSignals.hpp>
#include <ferry/serialization/file/ReplacementFile.hpp>
#include <ferry/serialization/platform/System.hpp>

namespace ferry {

namespace {

/// Whether the folder prevents replacing a file that may itself be writable. Examples: the folder belongs to another user, or the file is a
/// mount point.
bool isByFolder(int errorNumber) { return errorNumber == EACCES || errorNumber == EPERM || errorNumber == EROFS || errorNumber == EBUSY; }

detail::FileDescriptor openOld(const std::filesystem::path& file) noexcept {
    return detail::FileDescriptor(::open(file.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

}    // namespace

TextOutput::TextOutput(const detail::PathName& path, detail::OutputStream::Patience patience) : path_(path) {
    const detail::FilePlace place = detail::FilePlace::of(path_.path());
    target_ = detail::HeldPath(place.target);
    switch (place.kind) {
        case detail::FilePlace::Kind::Folder: throw FileError::ofSystem(FileProblem::CannotWrite, path_, "opening", EISDIR);
        case detail::FilePlace::Kind::Stream: stream_.emplace(path_, place, patience); return;
        case detail::FilePlace::Kind::File: requireOld(); return;
        case detail::FilePlace::Kind::Nothing:
            static_cast<void>(detail::ReplacementFile(path_, detail::ReplacementFile::Flush::ToSystem));
            return;
    }
}

void TextOutput::requireOld() const {
    const detail::FileDescriptor old = openOld(target_.path());
    struct stat status {};
    if (!old.isOpen() || ::fstat(old.number(), &status) != 0) throw FileError::ofSystem(FileProblem::CannotWrite, path_, "opening", errno);
    detail::FilePlace::requireNoTrap(path_.path(), target_.path(), status.st_uid, "a file");
}

void TextOutput::write(std::string_view text) const {
    if (stream_) return stream_->write(text);
    try {
        detail::ReplacementFile file(target_, detail::ReplacementFile::Flush::ToSystem);
        file.write(text);
        file.commit();
    } catch (const FileError& error) {
        std::error_code ignored;
        if (!isByFolder(error.errorNumber()) || !std::filesystem::is_regular_file(target_.path(), ignored)) throw;
        if (const int errorNumber = writeOver(target_.path(), text); errorNumber != 0)
            throw FileError::ofSystem(FileProblem::CannotWrite, path_, "writing", errorNumber);
    }
}

int TextOutput::writeOver(const std::filesystem::path& file, std::string_view text) noexcept {
    detail::QuietSignals quiet;
    const detail::FileDescriptor old = openOld(file);
    struct stat status {};
    if (!old.isOpen() || ::fstat(old.number(), &status) != 0) return errno;
    if (detail::FilePlace::isTrap(file, status.st_uid)) return EACCES;
    const auto oldBytes = static_cast<std::size_t>(status.st_size);
    if (text.size() > oldBytes) {    // room first: the file is overwritten only if the whole text fits
        const int error = detail::platform::reserve(old.number(), status.st_size, static_cast<off_t>(text.size() - oldBytes));
        if (error != 0 && error != EINVAL && error != EOPNOTSUPP) {
            quiet.noteError(error);
            static_cast<void>(::ftruncate(old.number(), status.st_size) == 0);
            return error;
        }
    }
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t count = ::pwrite(old.number(), text.data() + done, text.size() - done, static_cast<off_t>(done));
        if (count >= 0) {
            done += static_cast<std::size_t>(count);
        } else if (errno != EINTR) {
            quiet.noteError(errno);
            return errno;
        }
    }
    return ::ftruncate(old.number(), static_cast<off_t>(text.size())) == 0 ? 0 : errno;
}

}    // namespace ferry
