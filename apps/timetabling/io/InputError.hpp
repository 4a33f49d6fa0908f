#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace timetabling {

/// A file that cannot be read or written, or that does not say what it should. what() is one line of printable text, such as
/// "comp01.ctt:12: expected a course of this instance, found 'c9999'".
class InputError : public std::runtime_error {
public:
    /// Trouble with the file as a whole.
    InputError(const std::string& file, const std::string& text);
    /// Trouble in one line, counted from 1.
    InputError(const std::string& file, std::size_t line, const std::string& text);

    /// The line, or 0 when the whole file is meant.
    std::size_t line() const { return line_; }

private:
    std::size_t line_ = 0;
};

/// The text with control characters replaced, cut when it is long: fit for one line of a message.
std::string printable(std::string_view text, std::size_t mostBytes = 200);

}    // namespace timetabling
