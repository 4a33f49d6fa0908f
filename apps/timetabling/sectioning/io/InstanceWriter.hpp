#pragma once

#include <string>

#include <ferry/apps/timetabling/sectioning/model/Instance.hpp>

namespace timetabling::sectioning {

/// Returns the instance as an XML file of ITC-2019.
std::string writeInstance(const Instance& instance);

}    // namespace timetabling::sectioning
