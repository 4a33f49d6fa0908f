#pragma once

#include <string_view>

#include <ferry/serialization/file/FileDescriptor.hpp>
#include <ferry/serialization/file/HeldPath.hpp>
#include <ferry/serialization/file/PathName.hpp>
#include <ferry/serialization/ints/durations.hpp>

namespace ferry::detail {

struct FilePlace;

/// A pipe, a device, or an open file of a process. Texts are written to it one after the other. Every wait has a timeout.
///
/// Errors: FileError (CannotWrite).
class OutputStream {
public:
    /// Timeouts: forReader until a pipe has a reader, forRoom until the stream accepts more bytes.
    struct Patience {
        std::chrono::milliseconds forReader;
        std::chrono::milliseconds forRoom;
    };
    /// For a program that writes its results.
    static constexpr Patience Usual{std::chrono::milliseconds(5000), std::chrono::milliseconds(60'000)};
    /// For the last messages of a process.
    static constexpr Patience Short{std::chrono::milliseconds(0), std::chrono::milliseconds(1000)};

    /// Opens an existing stream (FilePlace::Kind::Stream). path: the path for errors.
    OutputStream(const PathName& path, const FilePlace& place, Patience patience = Usual);

    void write(std::string_view text) const;

    /// Writes to an open file, also to one that would block. Returns the errno, or 0.
    static int writeTo(int file, std::string_view text, std::chrono::milliseconds patience) noexcept;

private:
    HeldPath path_;
    std::chrono::milliseconds patience_;
    FileDescriptor file_;
};

}    // namespace ferry::detail
