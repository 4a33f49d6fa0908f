#pragma once

#include <string>

namespace timetabling {

/// Converts a curriculum-based instance, which is a .ctt file, an .ectt file or a folder of tables.
/// The ending of `to` selects the new format: .ctt, .ectt, or else a folder of tables.
/// Blanks in the names of teachers and curricula become '_' in .ctt and .ectt.
/// Errors: InputError, also for data that the new format cannot hold.
void convertInstance(const std::string& from, const std::string& to);

}    // namespace timetabling
