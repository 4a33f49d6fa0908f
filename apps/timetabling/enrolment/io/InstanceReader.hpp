#pragma once

#include <string>

#include <ferry/apps/timetabling/enrolment/model/Instance.hpp>
#include <ferry/apps/timetabling/io/TextFile.hpp>

namespace timetabling::enrolment {

/// Reads a post-enrolment instance, .tim. A file of the second competition has more data behind the features of the events.
/// Errors: InputError with file and line, what was expected and what was found.
Instance readInstance(const std::string& path);
Instance readInstance(TextFile file);

}    // namespace timetabling::enrolment
