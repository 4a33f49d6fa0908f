#pragma once

#include <optional>
#include <string_view>

#include <ferry/serialization/file/HeldPath.hpp>
#include <ferry/serialization/file/OutputStream.hpp>
#include <ferry/serialization/file/PathName.hpp>
#include <ferry/serialization/ints/paths.hpp>

namespace ferry {

/// A file that will be written later, as a whole. The constructor checks the place, so that an unwritable place is noticed before the work
/// is done.
///
/// The contents of an existing file stay until write(). A missing file is not made before write(). A pipe or a device is opened at once and
/// stays open, because closing it would show its reader the end of the stream.
/// Errors: FileError (CannotWrite).
class TextOutput {
public:
    explicit TextOutput(const detail::PathName& path, detail::OutputStream::Patience patience = detail::OutputStream::Usual);

    /// Replaces the contents of the file in one step (ReplacementFile). If the process is killed meanwhile, the file has the old text or
    /// the new one. If the folder accepts no new file, the old file is overwritten; if the disk is full, the old file stays. A pipe or a
    /// device gets the text appended.
    void write(std::string_view text) const;
    /// Whether write() replaces the earlier text. In a pipe or a device, one text follows the other.
    bool isReplaced() const noexcept { return !stream_; }

    /// Overwrites an existing file, and keeps it if there is no room. Returns the errno, or 0; EACCES for a file that may be a trap.
    static int writeOver(const std::filesystem::path& file, std::string_view text) noexcept;

private:
    void requireOld() const;

    detail::HeldPath path_;
    detail::HeldPath target_;                       ///< the file that is written, behind all symbolic links
    std::optional<detail::OutputStream> stream_;    ///< empty: the target is a file, which is replaced
};

}    // namespace ferry
