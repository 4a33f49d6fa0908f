#pragma once

#include <chrono>
#include <string>

namespace ferry {

/// What a user may choose about the end of a job.
struct ShutdownSettings {
    std::chrono::milliseconds grace{2000};    ///< for a rank to end when the job is stopped
    std::string reportPath{};                 ///< of the report as JSON; empty: none is written
    std::string endMarkerPath{};              ///< on the master: of the EndMarker; empty: none is written
};

}    // namespace ferry
