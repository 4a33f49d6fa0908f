#pragma once

#include <string>

namespace ferry::detail {

/// The settings of a user for the display of a job.
struct MonitorSettings {
    bool isQuiet = false;            ///< no progress, and no table at the end
    std::string statisticsPath{};    ///< path of the statistics as JSON; empty: no file is written
    std::string tracePath{};         ///< path of the trace; empty: no trace is recorded
};

}    // namespace ferry::detail
