#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/serialization/file/HeldPath.hpp>
#include <ferry/serialization/file/PathName.hpp>

namespace ferry {

/// The problem of a file.
enum class FileProblem : std::int32_t {
    CannotRead,     ///< cannot be opened or read; errorNumber() gives the reason
    CannotWrite,    ///< cannot be made or written; errorNumber() gives the reason; an old file is unchanged
    NotFerry,       ///< does not begin like a file of Ferry
    Truncated,      ///< the end is missing
    Damaged,        ///< the contents are not those that were written
    NewerFormat,    ///< written by a later Ferry in a format that this one does not know
    OtherType,      ///< has contents of another type than requested
};

/// A file cannot be saved or loaded. The text names the file and its problem.
class FileError : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::FileError)

    static constexpr std::size_t NoChunk = static_cast<std::size_t>(-1);

    FileError() = default;
    /// text: the problem in words, for example "expected a regular file, found a folder". chunk: the chunk with the problem, or NoChunk.
    FileError(FileProblem problem, const detail::PathName& path, std::string_view text, std::size_t chunk);
    /// An error of a call of the operating system. action: the attempted action, for example "opening". errorNumber: its errno.
    static FileError ofSystem(FileProblem problem, const detail::PathName& path, std::string_view action, int errorNumber);

    /// The error for a path that names a folder or another object instead of a file.
    static FileError ofOtherKind(FileProblem problem, const detail::PathName& path, bool isFolder);

    /// Throws if the path contains a zero byte. The operating system would take the part before it as the name of another file.
    static void requireName(FileProblem problem, const detail::PathName& path);

    ErrorKind kind() const noexcept override;
    void writeToInts(IntWriter& out) const override;
    void readFromInts(IntReader& in) override;

    FileProblem problem() const noexcept { return problem_; }
    const std::filesystem::path& path() const noexcept { return path_.path(); }
    /// For Truncated and Damaged: the chunk, counted from 0. NoChunk: the beginning of the file.
    std::size_t chunk() const noexcept { return chunk_; }
    /// For CannotRead and CannotWrite: the errno, or 0.
    int errorNumber() const noexcept { return errorNumber_; }

private:
    FileProblem problem_ = FileProblem::CannotRead;
    detail::HeldPath path_;
    std::size_t chunk_ = NoChunk;
    int errorNumber_ = 0;
};

}    // namespace ferry
