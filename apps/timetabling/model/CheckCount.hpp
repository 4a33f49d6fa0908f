#pragma once

#include <cstdint>

namespace timetabling {

/// Throws std::invalid_argument when the number is out of range; the text says what it stands for, what was expected and what was found.
void checkCount(const char* what, std::int64_t found, std::int64_t least, std::int64_t most);

}    // namespace timetabling
