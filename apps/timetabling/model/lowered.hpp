#pragma once

#include <string>

namespace timetabling {

/// Returns the text with 'A' to 'Z' as small letters.
std::string lowered(std::string text);

}    // namespace timetabling
