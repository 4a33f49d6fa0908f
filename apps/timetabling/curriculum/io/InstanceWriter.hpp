#pragma once

#include <string>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>

namespace timetabling::curriculum {

/// The format of the competition, .ctt, or the extended one, .ectt.
enum class InstanceFormat { Plain, Extended };

/// The instance as text that InstanceReader reads. The plain format leaves out what only formulations other than UD2 use. Names have to be
/// without blanks.
std::string writeInstance(const Instance& instance, InstanceFormat format = InstanceFormat::Plain);

/// Whether the instance has something that the plain format leaves out.
bool needsExtendedFormat(const Instance& instance);

}    // namespace timetabling::curriculum
