#pragma once

#include <string>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>
#include <ferry/apps/timetabling/io/TextFile.hpp>

namespace timetabling::curriculum {

/// Reads a curriculum-based instance, .ctt or .ectt. Header lines and sections may stand in any order.
/// The formulation of the result is UD2, that of the competition.
/// Errors: InputError with file and line, what was expected and what was found.
Instance readInstance(const std::string& path);
Instance readInstance(TextFile file);

}    // namespace timetabling::curriculum
