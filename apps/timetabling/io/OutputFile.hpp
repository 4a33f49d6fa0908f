#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace timetabling {

/// A file that will be written later, checked early: a place that cannot be written to is noticed before the work is done.
///
/// What the file holds stays until write(); one that is not there yet is not made before. A pipe or a device is opened at once and for
/// good: whoever reads it would otherwise see its end. Errors: InputError with the cause when the file cannot be opened or written.
class OutputFile {
public:
    explicit OutputFile(std::string path);

    const std::string& path() const { return path_; }
    /// Replaces what the file holds, at once: a process that is killed meanwhile leaves the old text or the new one. Where that
    /// cannot be had, as in a device, a pipe or a folder that takes no other file, the text is written in place.
    void write(std::string_view text) const;
    /// Whether write() replaces what was written before; in a pipe or a device one text follows the other.
    bool isReplaced() const { return !stream_; }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    std::string path_;
    std::filesystem::path target_;                ///< where links lead to
    std::unique_ptr<std::FILE, Close> stream_;    ///< null: it is a file, which is replaced
};

}    // namespace timetabling
