#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <ferry/objects.hpp>

namespace timetabling {

/// A file that is checked early and written later. Works like ferry::TextOutput, with errors of this program.
///
/// Errors: InputError with the cause when the file cannot be opened or written.
class OutputFile {
public:
    explicit OutputFile(std::string path);

    const std::string& path() const { return path_; }
    /// Replaces the contents of the file in one step. For a pipe or a device, writes the text to it.
    void write(std::string_view text) const;
    /// Whether write() replaces the earlier contents. In a pipe or a device, each text follows the earlier one.
    bool isReplaced() const { return output_->isReplaced(); }

private:
    std::string path_;
    std::optional<ferry::TextOutput> output_;    ///< never empty
};

}    // namespace timetabling
