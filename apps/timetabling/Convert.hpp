#pragma once

#include <string>

namespace timetabling {

/// Writes a curriculum-based instance, .ctt, .ectt or a folder of tables, in the format that the second name tells: .ctt, .ectt, or else a
/// folder of tables. Blanks in the names of teachers and curricula become '_' in .ctt and .ectt.
/// Errors: InputError, also for what the format cannot hold.
void convertInstance(const std::string& from, const std::string& to);

}    // namespace timetabling
