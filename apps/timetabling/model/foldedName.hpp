#pragma once

#include <string>
#include <string_view>

namespace timetabling {

/// Returns the text with 'A' to 'Z' as small letters, and blanks and '-' as '_'.
std::string foldedName(std::string_view name);

}    // namespace timetabling
