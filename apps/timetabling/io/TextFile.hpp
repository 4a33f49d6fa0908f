#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace timetabling {

/// A line that is not blank, split into its words.
struct TextLine {
    std::size_t number = 0;    ///< counted from 1
    std::string_view text;     ///< without blanks at either end
    std::vector<std::string_view> words;
};

/// A text file in memory. Accepts blanks, tabs and both kinds of line end, and skips blank lines. UTF-16 becomes UTF-8.
///
/// Ownership: owns the text; the lines refer to it.
/// Errors: InputError when the file is missing, a directory, not readable or larger than 64 MiB.
class TextFile {
public:
    static TextFile load(const std::string& path);
    /// Makes the object from a given text, as if the text came from a file with that name.
    TextFile(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {}

    const std::string& name() const { return name_; }
    /// Returns the next line; a line without words at the end of the file.
    TextLine next();
    /// The whole text.
    const std::string& text() const { return text_; }
    /// Returns the whole text. The file has no lines after that.
    std::string takeText() && { return std::move(text_); }

private:
    std::string name_;
    std::string text_;
    std::size_t position_ = 0;
    std::size_t lineNumber_ = 0;
};

}    // namespace timetabling
