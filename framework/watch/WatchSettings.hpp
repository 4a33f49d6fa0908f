#pragma once

#include <chrono>

namespace ferry::detail {

/// The settings with which the master of a job that survives losses watches its slaves.
struct WatchSettings {
    /// Time between two signs of life of a slave. 0: slaves give no signs, and a slave is lost only when its connection is closed.
    std::chrono::milliseconds heartbeat{100};
    /// Time within which all slaves must connect when the job starts.
    std::chrono::milliseconds connectLimit{20'000};
    /// True: all ranks are on one host, so the watch accepts only connections of this host while the job starts.
    bool areAllOnOneHost = false;
    /// True: ranks that join later are on this host as well.
    bool areJoinersOnThisHost = false;

    /// The silence after which a slave counts as lost; SilenceJudge applies it.
    std::chrono::milliseconds silenceLimit() const { return 8 * heartbeat; }
};

}    // namespace ferry::detail
