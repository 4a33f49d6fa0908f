#pragma once

#include <string>
#include <vector>

namespace timetabling {

/// The reason why an instance has no feasible timetable, with the names of the instance.
struct Infeasibility {
    std::string reason;                  ///< in one line
    std::vector<std::string> demands;    ///< demands that contradict each other, one line each
    bool isMinimal = true;    ///< true: the proof fails without any one of the demands; false: there was no time to leave more demands out
};

}    // namespace timetabling
