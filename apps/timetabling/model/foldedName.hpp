#pragma once

#include <string>
#include <string_view>

namespace timetabling {

/// Returns the text with small letters, and blanks and '-' as '_'. Knows the letters of western and central Europe, Greek and Cyrillic.
/// The text is UTF-8.
std::string foldedName(std::string_view name);

}    // namespace timetabling
