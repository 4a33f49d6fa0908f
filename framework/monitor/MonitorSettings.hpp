#pragma once

#include <string>

namespace ferry {

/// What a user may choose to see of a job.
struct MonitorSettings {
    bool isQuiet = false;            ///< no progress, and no table at the end
    std::string statisticsPath{};    ///< of the statistics as JSON; empty: none are written
    std::string tracePath{};         ///< of the trace; empty: none is recorded
};

}    // namespace ferry
