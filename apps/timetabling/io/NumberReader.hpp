#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <ferry/apps/timetabling/io/TextFile.hpp>

namespace timetabling {

/// Reads a file that consists of whole numbers. The ends of lines do not matter.
///
/// Ownership: refers to the file.
/// Errors: InputError that names the file, the line, what was expected and what was found.
class NumberReader {
public:
    explicit NumberReader(TextFile& file);

    /// Returns the next number. Refuses a number outside the limits. 'what' names the number in messages: "the seats of a room".
    int next(std::string_view what, std::int64_t least, std::int64_t most);
    bool isAtEnd() const { return line_.words.empty(); }
    /// The line of the next number; at the end, the line behind the last one.
    std::size_t lineNumber() const { return line_.number; }

private:
    void advance();

    TextFile& file_;
    TextLine line_;
    std::size_t position_ = 0;
};

}    // namespace timetabling
