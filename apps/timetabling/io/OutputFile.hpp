#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <ferry/objects.hpp>

namespace timetabling {

/// A file that will be written later and is checked early. It is a ferry::TextOutput whose errors are those of this program.
///
/// Errors: InputError with the cause when the file cannot be opened or written.
class OutputFile {
public:
    explicit OutputFile(std::string path);

    const std::string& path() const { return path_; }
    /// Replaces the contents of the file at once. Into a pipe or a device the text is written.
    void write(std::string_view text) const;
    /// Whether write() replaces what was written before; in a pipe or a device one text follows the other.
    bool isReplaced() const { return output_->isReplaced(); }

private:
    std::string path_;
    std::optional<ferry::TextOutput> output_;    ///< never empty
};

}    // namespace timetabling
