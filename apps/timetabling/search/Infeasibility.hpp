#pragma once

#include <string>
#include <vector>

namespace timetabling {

/// Why an instance has no feasible timetable, in its own names.
struct Infeasibility {
    std::string reason;                  ///< in one line
    std::vector<std::string> demands;    ///< what cannot be had together, one line each
    bool isMinimal = true;    ///< without any one of the demands the proof fails; else there was no time to leave more of them out
};

}    // namespace timetabling
