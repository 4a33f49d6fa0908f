#include <ferry/serialization/checkpoint/CheckpointReader.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include <ferry/serialization/checkpoint/FileFormat.hpp>
#include <ferry/serialization/checkpoint/TypeText.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/file/FileError.hpp>

namespace ferry {

namespace format = fileFormat;

namespace {

void swapBytes(std::span<std::int32_t> ints) noexcept {
    for (std::int32_t& each : ints) each = static_cast<std::int32_t>(__builtin_bswap32(static_cast<std::uint32_t>(each)));
}

std::string placeOf(std::size_t chunk) { return chunk == FileError::NoChunk ? "the beginning" : fmt::format("chunk {}", chunk); }

}    // namespace

CheckpointReader::CheckpointReader(const detail::PathName& path) : file_(path) { readStart(); }

void CheckpointReader::readStart() {
    std::array<unsigned char, sizeof(format::Magic)> magic{};
    const auto magicBytes = static_cast<std::size_t>(std::min<std::uint64_t>(magic.size(), file_.bytesLeft()));
    file_.read(std::as_writable_bytes(std::span(magic).first(magicBytes)), FileError::NoChunk, "its start");
    if (!std::equal(magic.begin(), magic.begin() + static_cast<std::ptrdiff_t>(magicBytes), format::Magic.begin()))
        throw FileError(FileProblem::NotFerry, path(), "expected a file of Ferry, found other first bytes", FileError::NoChunk);
    std::array<std::int32_t, format::StartInts> start{};
    readInts(start, FileError::NoChunk, "its start");
    if (start[0] == format::SwappedByteOrderMark) {
        isSwapped_ = true;
        swapBytes(start);
    }
    const auto [mark, version, intCount, check, checksumLow, checksumHigh] = start;
    if (mark != format::ByteOrderMark)
        failDamaged(FileError::NoChunk, fmt::format("expected a byte-order mark, found {:#010x}", static_cast<std::uint32_t>(mark)));
    if (check != format::checkOf(std::span(start).subspan(1, 2), format::DescriptionSeed) || version < 1 || intCount < 0)
        failDamaged(FileError::NoChunk, "version and length of the description differ from those that were written");
    if (version > format::NewestVersion)
        throw FileError(FileProblem::NewerFormat, path(),
                        fmt::format("expected a file of format {} or older, found format {}: it was saved by a later version of Ferry",
                                    format::NewestVersion, version),
                        FileError::NoChunk);
    version_ = version;
    readDescription(static_cast<std::size_t>(intCount), format::joined(checksumLow, checksumHigh));
}

void CheckpointReader::readDescription(std::size_t intCount, std::uint64_t checksum) {
    if (intCount > format::MaxChunkInts) failDamaged(FileError::NoChunk, fmt::format("a description of {} ints is too long", intCount));
    file_.require(intCount * sizeof(std::int32_t), FileError::NoChunk, "its description");
    chunk_.resizeUninitialized(intCount);
    readInts({chunk_.data(), intCount}, FileError::NoChunk, "its description");
    if (detail::checksumOf(chunk_.ints(), format::DescriptionSeed) != checksum)
        failDamaged(FileError::NoChunk, "the checksum of the description does not fit");
    try {
        IntReader in(chunk_.ints());
        in >> description_;
        in.expectEnd();
    } catch (const SerializationError& error) {
        failDamaged(FileError::NoChunk, fmt::format("the description cannot be read: {}", error.what()));
    }
}

void CheckpointReader::readInts(std::span<std::int32_t> ints, std::size_t chunk, std::string_view what) {
    file_.require(ints.size_bytes(), chunk, what);
    file_.read(std::as_writable_bytes(ints), chunk, what);
    if (isSwapped_) swapBytes(ints);
}

std::span<const std::int32_t> CheckpointReader::next() {
    chunk_.clear();
    next(chunk_);
    return chunk_.ints();
}

std::size_t CheckpointReader::next(IntBuffer& ints) {
    if (isAtEnd_) return 0;
    if (!canGoOn_) FERRY_THROW(UsageError("expected no further reading of a file that was found damaged"));
    canGoOn_ = false;
    const std::size_t chunk = chunkCount_;
    const std::uint64_t seed = format::seedOf(version_, chunk, position());
    std::array<std::int32_t, format::HeadInts> head{};
    readInts(head, chunk, "the length of a chunk");
    const auto [count, check, checksumLow, checksumHigh] = head;
    const std::uint64_t checksum = format::joined(checksumLow, checksumHigh);
    if (check != format::checkOf(std::span(head).first(1), seed)) failDamaged(chunk, "its length differs from the length that was written");
    if (count == 0) {
        readClosing(checksum, seed);
        return 0;
    }
    const auto intCount = static_cast<std::size_t>(count);
    if (count < 0 || intCount > format::MaxChunkInts)
        failDamaged(chunk, fmt::format("expected at most {} ints, found {}", format::MaxChunkInts, count));
    const std::size_t before = ints.ownSize();
    file_.require(intCount * sizeof(std::int32_t), chunk, "the ints of a chunk");
    ints.reserve(before + static_cast<std::size_t>(std::min<std::uint64_t>(std::max(intCount, before), intsLeft())));
    ints.resizeWithin(before + intCount);
    const std::span<std::int32_t> added(ints.data() + before, intCount);
    try {
        readInts(added, chunk, "the ints of a chunk");
        canGoOn_ = true;
        ++chunkCount_;
        intCount_ += intCount;
        if (detail::checksumOf(added, seed) != checksum) failDamaged(chunk, "the checksum of its ints does not fit");
    } catch (...) {
        ints.resizeWithin(before);
        throw;
    }
    return intCount;
}

void CheckpointReader::readClosing(std::uint64_t checksum, std::uint64_t seed) {
    std::array<std::int32_t, format::ClosingInts> closing{};
    readInts(closing, chunkCount_, "the numbers that close the file");
    if (detail::checksumOf(closing, seed) != checksum) failDamaged(chunkCount_, "the checksum of the closing chunk does not fit");
    const std::uint64_t chunks = format::joined(closing[0], closing[1]), ints = format::joined(closing[2], closing[3]);
    if (chunks != chunkCount_ || ints != intCount_)
        failDamaged(chunkCount_, fmt::format("expected {} ints in {} chunks, found {} in {}", ints, chunks, intCount_, chunkCount_));
    if (file_.bytesLeft() != 0)
        failDamaged(chunkCount_, fmt::format("expected the end of the file, found {} more bytes", file_.bytesLeft()));
    isAtEnd_ = true;
}

void CheckpointReader::require(FileKind kind, std::string_view type) const {
    if (description_.kind != kind || !detail::isSameType(description_.type, type)) failOtherType(FileDescription::textOf(kind, type));
}

void CheckpointReader::failOtherType(std::string_view expected) const {
    throw FileError(FileProblem::OtherType, path(), fmt::format("expected {}, found {}", expected, description_.text()),
                    FileError::NoChunk);
}

void CheckpointReader::failDamaged(std::size_t chunk, std::string_view text) const {
    throw FileError(FileProblem::Damaged, path(), fmt::format("{} is damaged: {}", placeOf(chunk), text), chunk);
}

}    // namespace ferry
