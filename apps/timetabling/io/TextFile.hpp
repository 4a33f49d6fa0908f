#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace timetabling {

/// A line that is not blank, cut into its words.
struct TextLine {
    std::size_t number = 0;    ///< counted from 1
    std::string_view text;     ///< without blanks at either end
    std::vector<std::string_view> words;
};

/// A text file in memory. Blanks, tabs and both kinds of line end are accepted, blank lines are left out.
///
/// Ownership: owns the text; the lines refer to it.
/// Errors: InputError when the file is missing, a directory, not readable or larger than 64 MiB.
class TextFile {
public:
    static TextFile load(const std::string& path);
    /// The text as if it had been read from a file of that name.
    TextFile(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {}

    const std::string& name() const { return name_; }
    /// The next line, with no words at the end of the file.
    TextLine next();

private:
    std::string name_;
    std::string text_;
    std::size_t position_ = 0;
    std::size_t lineNumber_ = 0;
};

}    // namespace timetabling
