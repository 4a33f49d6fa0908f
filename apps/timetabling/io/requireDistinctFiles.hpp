#pragma once

#include <string>
#include <vector>

namespace timetabling {

/// A place where a result is to be written, and the option that names it.
struct NamedOutput {
    std::string option;
    std::string path;    ///< empty: it is not wanted
};

/// Refuses to write over what is read, and two results to one place, or into a folder that is a result itself. Of a folder that is read all
/// tables count. Devices and pipes may be named twice.
/// Errors: InputError.
void requireDistinctFiles(const std::vector<std::string>& inputs, const std::vector<NamedOutput>& outputs);

}    // namespace timetabling
