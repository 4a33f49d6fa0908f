#pragma once

#include <optional>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/problem/AnyProblem.hpp>

namespace timetabling {

/// The options for a published timetable, which people know already. An empty file name stands for no file.
struct PublishedOptions {
    std::string startFile;            ///< the published timetable
    std::string pinFile;              ///< a table of lectures or events with their fixed places
    std::vector<std::string> free;    ///< free courses or events; if the list is not empty, all others have to stay in their published
                                      ///< places
    std::optional<int> keepWeight;    ///< the cost of a moved lecture or event; without a value, the search moves as few as possible
};

/// Reads the files, and notes in the instance which parts should stay. Prints on stderr which parts of the published timetable are left
/// out.
/// Errors: InputError.
AnyInstance withPublished(AnyInstance instance, const PublishedOptions& options);

/// Notes a timetable near the published one with which the search should begin.
void beginWith(AnyInstance& instance, const std::optional<Slots>& slots);

}    // namespace timetabling
