#pragma once

#include <string>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>

namespace timetabling::curriculum {

/// Plain is the format of the competition, .ctt. Extended is .ectt.
enum class InstanceFormat { Plain, Extended };

/// Returns the instance as text that InstanceReader reads.
/// The plain format leaves out the data that only formulations other than UD2 use. Names must not contain blanks.
std::string writeInstance(const Instance& instance, InstanceFormat format = InstanceFormat::Plain);

/// Whether the instance has data that the plain format leaves out.
bool needsExtendedFormat(const Instance& instance);

}    // namespace timetabling::curriculum
