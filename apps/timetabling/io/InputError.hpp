#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace timetabling {

/// Thrown for a file that cannot be read or written, or that has wrong contents. what() is one line of printable text, such as
/// "comp01.ctt:12: expected a course of this instance, found 'c9999'". InputProblems throws several such lines at once.
class InputError : public std::runtime_error {
public:
    /// An error of the file as a whole.
    InputError(const std::string& file, const std::string& text);
    /// An error in one line, counted from 1.
    InputError(const std::string& file, std::size_t line, const std::string& text);

    struct Lines {};
    /// Several errors, one in each line of the text, as InputProblems collects them. The lines are printable.
    InputError(Lines, const std::string& lines) : std::runtime_error(lines) {}

    /// The line number, or 0 for an error of the whole file.
    std::size_t line() const { return line_; }

private:
    std::size_t line_ = 0;
};

/// Returns the text for one line of a message: control characters are escaped as \x1b, and a long text is cut.
std::string printable(std::string_view text, std::size_t mostBytes = 200);

/// Returns the end of an error text: "found 'x'", or "found nothing" for an empty text.
std::string foundInWords(std::string_view text);

}    // namespace timetabling
