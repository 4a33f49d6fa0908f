#pragma once

#include <string>
#include <string_view>

namespace ferry::detail {

/// The control characters that may stay.
enum class Lines {
    One,        ///< none: a new line is shown as \n
    Several,    ///< new lines and tabs
};

/// The text with its control characters escaped, as in a C++ literal (\0, \n, \x1b), so that none of them reaches a terminal or ends a C
/// string. Everything else is as it was, UTF-8 too.
std::string printable(std::string_view text, Lines lines = Lines::One);

}    // namespace ferry::detail
