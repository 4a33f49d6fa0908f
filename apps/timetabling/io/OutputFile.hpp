#pragma once

#include <string>
#include <string_view>

namespace timetabling {

/// A file that will be written later, checked early: a place that cannot be written to is noticed before the work is done.
///
/// What the file holds stays until write(); one that is not there yet is not made before.
/// Errors: InputError with the cause when the file cannot be opened or written.
class OutputFile {
public:
    explicit OutputFile(std::string path);

    const std::string& path() const { return path_; }
    /// Replaces what the file holds, at once: a process that is killed meanwhile leaves the old text or the new one. Where that
    /// cannot be had, as in a device, a pipe or a folder that takes no other file, the text is written in place.
    void write(std::string_view text) const;

private:
    std::string path_;
};

}    // namespace timetabling
