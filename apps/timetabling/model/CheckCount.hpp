#pragma once

#include <cstdint>

namespace timetabling {

/// Throws std::invalid_argument when the number is out of range. The text names the number, the expected range and the found value.
void checkCount(const char* what, std::int64_t found, std::int64_t least, std::int64_t most);

}    // namespace timetabling
