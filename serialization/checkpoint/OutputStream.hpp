#pragma once

#include <chrono>
#include <filesystem>
#include <string_view>

#include <ferry/serialization/checkpoint/FileDescriptor.hpp>
#include <ferry/serialization/checkpoint/FilePlace.hpp>

namespace ferry {

/// A pipe, a device, or what a process has open, to which texts are written one behind the other. It never waits for ever.
///
/// Errors: FileError (CannotWrite).
class OutputStream {
public:
    /// How long others may take: until a pipe has a reader, and until it takes more.
    struct Patience {
        std::chrono::milliseconds forReader;
        std::chrono::milliseconds forRoom;
    };
    /// The stream of a program that writes its results.
    static constexpr Patience Usual{std::chrono::milliseconds(5000), std::chrono::milliseconds(60'000)};
    /// The stream of the last words of a process.
    static constexpr Patience Short{std::chrono::milliseconds(0), std::chrono::milliseconds(1000)};

    /// Opens what is there (FilePlace::Kind::Stream). The path is that for errors.
    OutputStream(const std::filesystem::path& path, const FilePlace& place, Patience patience = Usual);

    void write(std::string_view text) const;

    /// Writes to an open file, also to one that would block. Returns the errno, or 0.
    static int writeTo(int file, std::string_view text, std::chrono::milliseconds patience) noexcept;

private:
    std::filesystem::path path_;
    std::chrono::milliseconds patience_;
    FileDescriptor file_;
};

}    // namespace ferry
