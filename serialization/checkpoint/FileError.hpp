#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// A file cannot be read or written as asked.
enum class FileProblem : std::int32_t {
    CannotRead,     ///< it cannot be opened or read; errorNumber() says why
    CannotWrite,    ///< it cannot be made or written; errorNumber() says why, and an older file is as it was
    NotFerry,       ///< it does not begin as files of Ferry do
    Truncated,      ///< its end is missing
    Damaged,        ///< what it holds is not what was written
    NewerFormat,    ///< written by a later Ferry in a format that this one does not know
    OtherType,      ///< it holds something else than was asked for
};

/// A file cannot be saved or loaded. The text names the file and what is wrong with it.
class FileError : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::FileError)

    static constexpr std::size_t NoChunk = static_cast<std::size_t>(-1);

    FileError() = default;
    /// The problem in words, such as "expected a regular file, found a folder", and the chunk that has it, or NoChunk.
    FileError(FileProblem problem, const std::filesystem::path& path, std::string_view text, std::size_t chunk);
    /// A call of the operating system has failed: what was tried, such as "opening", and the errno of it.
    static FileError ofSystem(FileProblem problem, const std::filesystem::path& path, std::string_view action, int errorNumber);

    /// A folder or something else stands where a file is expected.
    static FileError ofOtherKind(FileProblem problem, const std::filesystem::path& path, bool isFolder);

    /// Throws when the path holds a zero byte: the operating system would take what is before it for the name of another file.
    static void requireName(FileProblem problem, const std::filesystem::path& path);

    ErrorKind kind() const noexcept override;
    void writeToInts(IntWriter& out) const override;
    void readFromInts(IntReader& in) override;

    FileProblem problem() const noexcept { return problem_; }
    const std::filesystem::path& path() const noexcept { return path_; }
    /// For Truncated and Damaged: the chunk, counted from 0, or NoChunk for the beginning of the file.
    std::size_t chunk() const noexcept { return chunk_; }
    /// For CannotRead and CannotWrite: the errno, or 0.
    int errorNumber() const noexcept { return errorNumber_; }

private:
    FileProblem problem_ = FileProblem::CannotRead;
    std::filesystem::path path_;
    std::size_t chunk_ = NoChunk;
    int errorNumber_ = 0;
};

}    // namespace ferry
