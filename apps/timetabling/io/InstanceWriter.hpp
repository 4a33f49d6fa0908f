#pragma once

#include <string>

#include <ferry/apps/timetabling/model/Instance.hpp>

namespace timetabling {

/// The instance in the .ctt format.
std::string writeInstance(const Instance& instance);

}    // namespace timetabling
