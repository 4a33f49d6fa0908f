#pragma once

#include <chrono>
#include <string>

namespace ferry::detail {

/// The settings of a user for the end of a job.
struct ShutdownSettings {
    std::chrono::milliseconds grace{2000};          ///< time for a rank to end after the job is stopped
    std::chrono::milliseconds teamGrace{60'000};    ///< time for a slave to leave a team that has lost another slave
    std::string reportPath{};                       ///< path of the report as JSON; empty: no report is written
    std::string endMarkerPath{};                    ///< on the master: path of the EndMarker; empty: no file is written
};

}    // namespace ferry::detail
