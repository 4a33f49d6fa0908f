#pragma once

#include <string>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>
#include <ferry/apps/timetabling/io/TextFile.hpp>

namespace timetabling::curriculum {

/// Reads a curriculum-based instance, .ctt or .ectt. Header lines and sections may stand in any order. What only other formulations
/// use (double lectures, buildings, daily loads, unsuitable rooms) is checked and left out.
/// Errors: InputError with file and line, what was expected and what was found.
Instance readInstance(const std::string& path);
Instance readInstance(TextFile file);

}    // namespace timetabling::curriculum
