#pragma once

#include <string>

#include <ferry/apps/timetabling/enrolment/model/Instance.hpp>

namespace timetabling::enrolment {

/// Returns the instance in the .tim format, one number per line as in the files of the competitions. The format has no name of the
/// instance.
std::string writeInstance(const Instance& instance);

}    // namespace timetabling::enrolment
