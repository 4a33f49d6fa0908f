#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace timetabling {

/// Writes to stderr at once. Ignores write errors: the work goes on without a reader.
void tell(std::string_view text);
/// Writes a line for each note: what was a guess or left out.
void tellNotes(const std::vector<std::string>& notes);

/// Writes to stdout at once. Shows control characters as \\x1b, except new lines and tabs.
/// Errors: InputError, since results would be lost.
void printResult(std::string_view text);

}    // namespace timetabling
