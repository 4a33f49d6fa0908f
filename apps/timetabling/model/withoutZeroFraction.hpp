#pragma once

#include <string_view>

namespace timetabling {

/// Returns the number without '.0' or ',0', which spreadsheets add. Three zeros may be thousands, so they stay.
std::string_view withoutZeroFraction(std::string_view text);

}    // namespace timetabling
