#pragma once

#include <string_view>

namespace timetabling {

/// Writes to stderr at once. What cannot be written there is lost: work goes on without somebody who looks on.
void tell(std::string_view text);

/// Writes to stdout at once. Shows control characters as \\x1b, but not new lines and tabs. Errors: InputError, since results are lost.
void printResult(std::string_view text);

}    // namespace timetabling
