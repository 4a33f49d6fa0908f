#pragma once

#include <string>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>

namespace timetabling::curriculum {

/// The instance in the .ctt format, which has no place for what only formulations other than UD1 and UD2 use.
std::string writeInstance(const Instance& instance);

}    // namespace timetabling::curriculum
