#pragma once

#include <string>

#include <ferry/apps/timetabling/enrolment/model/Instance.hpp>

namespace timetabling::enrolment {

/// The instance in the .tim format, a number per line as in the files of the competitions. The name is not part of it.
std::string writeInstance(const Instance& instance);

}    // namespace timetabling::enrolment
