#pragma once

#include <string_view>

namespace timetabling {

/// Writes to stderr at once. What cannot be written there is lost: work goes on without somebody who looks on.
void tell(std::string_view text);

/// Writes to stdout at once; control characters but new lines and tabs are shown as \\x1b. Errors: InputError, since results are lost.
void printResult(std::string_view text);

}    // namespace timetabling
