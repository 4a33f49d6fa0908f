#pragma once

#include <string>

#include <ferry/apps/timetabling/sectioning/io/XmlFile.hpp>
#include <ferry/apps/timetabling/sectioning/model/Instance.hpp>

namespace timetabling::sectioning {

/// Reads an instance of ITC-2019.
/// Errors: InputError with file, line, what was expected and what was found. A file of another program is named, where it is known.
Instance readInstance(const std::string& path);
/// Reads an instance from a file in memory.
Instance readInstance(XmlFile file);

}    // namespace timetabling::sectioning
