#pragma once

#include <optional>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/problem/AnyProblem.hpp>

namespace timetabling {

/// What the user says of a timetable that people know already. A file name that is empty stands for no file.
struct PublishedOptions {
    std::string startFile;            ///< that timetable
    std::string pinFile;              ///< a table of lectures or events that have to be where it says
    std::vector<std::string> free;    ///< courses or events; if there are any, all others have to be where they were
    std::optional<int> keepWeight;    ///< what a lecture or an event that is moved costs; none: as few as possible
};

/// Reads the files and notes in the instance what should stay as it is. Tells on stderr what of the timetable is left out.
/// Errors: InputError.
AnyInstance withPublished(AnyInstance instance, const PublishedOptions& options);

}    // namespace timetabling
