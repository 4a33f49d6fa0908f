#pragma once

#include <string>
#include <vector>

namespace timetabling {

/// A place for a result, and the option that names the place.
struct NamedOutput {
    std::string option;
    std::string path;    ///< empty: no result is wanted
};

/// Refuses three cases: a result that would overwrite an input, two results in one place,
/// and a result inside a folder that is itself a result. For an input folder, all its tables count as inputs.
/// Devices and pipes may be named twice.
/// Errors: InputError.
void requireDistinctFiles(const std::vector<std::string>& inputs, const std::vector<NamedOutput>& outputs);

}    // namespace timetabling
