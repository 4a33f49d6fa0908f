#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <ferry/serialization/file/FileDescriptor.hpp>
#include <ferry/serialization/file/HeldPath.hpp>
#include <ferry/serialization/file/PathName.hpp>

namespace ferry::detail {

/// A regular file that is read front to back.
///
/// Errors: FileError: CannotRead; Truncated when the file holds fewer bytes than requested.
class InputFile {
public:
    explicit InputFile(const PathName& path);

    const std::filesystem::path& path() const noexcept { return path_.path(); }
    /// The size of the file when it was opened.
    std::uint64_t byteCount() const noexcept { return byteCount_; }
    std::uint64_t bytesLeft() const noexcept { return byteCount_ - position_; }
    /// Number of bytes read so far.
    std::uint64_t position() const noexcept { return position_; }

    /// Throws unless this many bytes are left. To be called before memory is allocated. For the error: chunk (or FileError::NoChunk), and
    /// what: the part of it.
    void require(std::uint64_t bytes, std::size_t chunk, std::string_view what) const;
    /// Fills `bytes` from the file. chunk, what: as in require().
    void read(std::span<std::byte> bytes, std::size_t chunk, std::string_view what);
    /// Fills `bytes` from another place of the file, and leaves position() as it is.
    void readAt(std::uint64_t offset, std::span<std::byte> bytes) const;

private:
    [[noreturn]] void failTruncated(std::uint64_t bytes, std::uint64_t found, std::size_t chunk, std::string_view what) const;

    HeldPath path_;
    FileDescriptor file_;
    std::uint64_t byteCount_ = 0;
    std::uint64_t position_ = 0;
};

}    // namespace ferry::detail
