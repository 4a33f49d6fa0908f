#pragma once

#include <string_view>

namespace timetabling {

/// Writes to stderr at once. Ignores write errors: the work goes on without a reader.
void tell(std::string_view text);

/// Writes to stdout at once. Shows control characters as \\x1b, except new lines and tabs.
/// Errors: InputError, since results would be lost.
void printResult(std::string_view text);

}    // namespace timetabling
