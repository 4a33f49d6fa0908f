#pragma once

#include <string>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>

namespace timetabling::curriculum {

/// The instance in the .ctt format.
std::string writeInstance(const Instance& instance);

}    // namespace timetabling::curriculum
