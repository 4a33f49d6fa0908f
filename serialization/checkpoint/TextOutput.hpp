#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include <ferry/serialization/checkpoint/FilePlace.hpp>
#include <ferry/serialization/checkpoint/OutputStream.hpp>

namespace ferry {

/// A file that will be written later, as a whole, checked early: a place that cannot be written to is noticed before the work is done.
///
/// What the file holds stays until write(); one that is not there yet is not made before. A pipe or a device is opened at once and for
/// good, for whoever reads it would otherwise see its end.
/// Errors: FileError (CannotWrite).
class TextOutput {
public:
    explicit TextOutput(const std::filesystem::path& path, OutputStream::Patience patience = OutputStream::Usual);

    /// Replaces what the file holds, at once (ReplacementFile): a process that is killed meanwhile leaves the old text or the new one.
    /// In a folder that takes no other file the old file is written over; when the disk is full, it stays. Into a pipe or a device the
    /// text is written.
    void write(std::string_view text) const;
    /// Whether write() replaces what was written before; in a pipe or a device one text follows the other.
    bool isReplaced() const noexcept { return !stream_; }

    /// Writes over the file that is there, and keeps it if there is no room. Returns the errno, or 0.
    static int writeOver(const std::filesystem::path& file, std::string_view text) noexcept;

private:
    std::filesystem::path path_;
    FilePlace place_;
    std::optional<OutputStream> stream_;    ///< none: it is a file, which is replaced
};

}    // namespace ferry
