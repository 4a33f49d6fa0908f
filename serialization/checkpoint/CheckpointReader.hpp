#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <ferry/serialization/checkpoint/FileDescription.hpp>
#include <ferry/serialization/file/InputFile.hpp>
#include <ferry/serialization/file/PathName.hpp>
#include <ferry/serialization/ints/ByteOrder.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/serialization/ints/paths.hpp>

namespace ferry {

/// Reads a file chunk by chunk. Its memory is that of one chunk. Safe on any file: it returns only ints that their checksum confirms, and
/// allocates memory only for ints that are in the file.
///
/// Errors: FileError: CannotRead, NotFerry, NewerFormat, Truncated, Damaged.
class CheckpointReader {
public:
    /// Opens the file and reads its beginning.
    explicit CheckpointReader(const detail::PathName& path);
    CheckpointReader(const CheckpointReader&) = delete;
    CheckpointReader& operator=(const CheckpointReader&) = delete;

    const std::filesystem::path& path() const noexcept { return file_.path(); }
    const FileDescription& description() const noexcept { return description_; }
    /// Whether the ints of the file are big-endian. Ferry writes little-endian files.
    bool isByteSwapped() const noexcept { return isSwapped_ != detail::isBigEndian; }
    /// Version of the file's format: 1, or 2 in journals.
    std::int32_t version() const noexcept { return version_; }
    std::uint64_t fileBytes() const noexcept { return file_.byteCount(); }

    /// Throws FileError (OtherType) unless the file holds this kind and type.
    void require(FileKind kind, std::string_view type) const;
    /// Throws FileError (OtherType), for a caller that has found another type itself.
    [[noreturn]] void failOtherType(std::string_view expected) const;

    /// The ints of the next chunk, valid until the next call. Empty when all chunks have been read and the end of the file is correct.
    std::span<const std::int32_t> next();
    /// Appends the ints of the next chunk to a buffer without borrowed ints. Returns their number.
    std::size_t next(IntBuffer& ints);

    /// Number of bytes read so far. Between two chunks, this is the offset of the next one.
    std::uint64_t position() const noexcept { return file_.position(); }
    /// Upper bound of the number of unread ints in the file.
    std::uint64_t intsLeft() const noexcept { return file_.bytesLeft() / sizeof(std::int32_t); }
    /// Number of chunks read so far, and the number of their ints. Damaged chunks are included.
    std::size_t chunkCount() const noexcept { return chunkCount_; }
    std::uint64_t intCount() const noexcept { return intCount_; }
    /// After an error: whether next() can continue behind the damaged chunk. True if the contents of the chunk are damaged but not its
    /// length.
    bool canGoOn() const noexcept { return canGoOn_; }

private:
    void readStart();
    void readDescription(std::size_t intCount, std::uint64_t checksum);
    void readInts(std::span<std::int32_t> ints, std::size_t chunk, std::string_view what);
    void readClosing(std::uint64_t checksum, std::uint64_t seed);
    [[noreturn]] void failDamaged(std::size_t chunk, std::string_view text) const;

    detail::InputFile file_;
    FileDescription description_;
    IntBuffer chunk_;
    std::int32_t version_ = 0;
    std::size_t chunkCount_ = 0;
    std::uint64_t intCount_ = 0;
    bool isSwapped_ = false;
    bool isAtEnd_ = false;
    bool canGoOn_ = true;
};

}    // namespace ferry
