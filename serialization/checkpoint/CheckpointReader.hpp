#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include <ferry/serialization/checkpoint/FileDescription.hpp>
#include <ferry/serialization/checkpoint/InputFile.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry {

/// Reads a file chunk by chunk, in as much memory as a chunk takes. Safe on any file: nothing is handed out that its checksum does not
/// confirm, and no memory is asked for that the file has no ints for.
///
/// Errors: FileError: CannotRead, NotFerry, NewerFormat, Truncated, Damaged.
class CheckpointReader {
public:
    /// Opens the file and reads its beginning.
    explicit CheckpointReader(const std::filesystem::path& path);
    CheckpointReader(const CheckpointReader&) = delete;
    CheckpointReader& operator=(const CheckpointReader&) = delete;

    const std::filesystem::path& path() const noexcept { return file_.path(); }
    const FileDescription& description() const noexcept { return description_; }
    /// Whether the file was written by a machine of the other byte order.
    bool isByteSwapped() const noexcept { return isSwapped_; }
    std::uint64_t fileBytes() const noexcept { return file_.byteCount(); }

    /// Throws FileError (OtherType) unless the file holds this.
    void require(FileKind kind, std::string_view type) const;
    /// Throws the same error, for a reader that has found the wrong type by itself.
    [[noreturn]] void failOtherType(std::string_view expected) const;

    /// The ints of the next chunk, valid until the next call. None when all have been read and the end is as it must be.
    std::span<const std::int32_t> next();
    /// Appends the ints of the next chunk to a buffer that borrows nothing; returns their number.
    std::size_t next(IntBuffer& ints);

    /// Number of bytes of what has been read so far; between two chunks where the next one begins.
    std::uint64_t position() const noexcept { return file_.position(); }
    /// Number of ints that are left in the file, at most.
    std::uint64_t intsLeft() const noexcept { return file_.bytesLeft() / sizeof(std::int32_t); }
    /// Number of chunks read so far, and of the ints in them; damaged ones are counted.
    std::size_t chunkCount() const noexcept { return chunkCount_; }
    std::uint64_t intCount() const noexcept { return intCount_; }
    /// After an error: whether next() can go on behind the damaged chunk, as it is its contents that are damaged and not its length.
    bool canGoOn() const noexcept { return canGoOn_; }

private:
    void readStart();
    void readDescription(std::size_t intCount, std::uint64_t checksum);
    void readInts(std::span<std::int32_t> ints, std::size_t chunk, std::string_view what);
    void readClosing(std::uint64_t checksum);
    [[noreturn]] void failDamaged(std::size_t chunk, std::string_view text) const;

    InputFile file_;
    FileDescription description_;
    IntBuffer chunk_;
    std::size_t chunkCount_ = 0;
    std::uint64_t intCount_ = 0;
    bool isSwapped_ = false;
    bool isAtEnd_ = false;
    bool canGoOn_ = true;
};

}    // namespace ferry
