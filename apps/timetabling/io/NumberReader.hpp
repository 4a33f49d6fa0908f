#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <ferry/apps/timetabling/io/TextFile.hpp>

namespace timetabling {

/// Takes a file apart that is nothing but whole numbers, wherever its lines end.
///
/// Ownership: refers to the file.
/// Errors: InputError that names the file, the line, what was expected and what was found.
class NumberReader {
public:
    explicit NumberReader(TextFile& file);

    /// The next number, within the limits; 'what' says what it stands for: "the seats of a room".
    int next(std::string_view what, std::int64_t least, std::int64_t most);
    bool isAtEnd() const { return line_.words.empty(); }
    /// The line of the next number, or behind the last line.
    std::size_t lineNumber() const { return line_.number; }

private:
    void advance();

    TextFile& file_;
    TextLine line_;
    std::size_t position_ = 0;
};

}    // namespace timetabling
