#pragma once

#include <cstdint>
#include <string>

namespace timetabling {

/// Returns the number with the noun in singular or plural: "1 lecture", "2 lectures".
std::string counted(std::int64_t number, const char* noun);

}    // namespace timetabling
