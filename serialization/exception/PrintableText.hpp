#pragma once

#include <string>
#include <string_view>

namespace ferry::detail {

/// The control characters that stay unchanged.
enum class Lines {
    One,        ///< none; a new line is shown as \n
    Several,    ///< new lines and tabs
};

/// Returns the text with its control characters escaped as in a C++ literal (\0, \n, \x1b). So none of them reaches a terminal or ends a C
/// string. All other characters stay unchanged, also those of UTF-8.
std::string printable(std::string_view text, Lines lines = Lines::One);

}    // namespace ferry::detail
