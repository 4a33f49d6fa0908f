#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <ferry/apps/timetabling/io/TextFile.hpp>

namespace timetabling {

/// Splits one line into its words, front to back.
///
/// Ownership: refers to the line.
/// Errors: InputError that names the file, the line, what was expected and what was found.
class LineParser {
public:
    LineParser(const std::string& file, const TextLine& line) : file_(file), line_(line) {}

    /// Refuses the line unless its number of words is in [least, most]. 'form' shows the expected form of the line.
    void expectWords(std::size_t least, std::size_t most, std::string_view form) const;
    std::string_view word() { return line_.words[position_++]; }
    std::string name() { return std::string(word()); }
    /// Returns the next word as a whole number. Refuses a number outside the limits.
    int number(std::string_view what, std::int64_t least, std::int64_t most);
    bool isAtEnd() const { return position_ == line_.words.size(); }

    [[noreturn]] void fail(std::string_view expected, std::string_view found) const;

private:
    const std::string& file_;
    const TextLine& line_;
    std::size_t position_ = 0;
};

}    // namespace timetabling
