#pragma once

#include <chrono>

namespace ferry {

/// How the master of a job that survives losses watches its slaves.
struct WatchSettings {
    /// Between two signs of life of a slave; 0: it gives none, and is lost only when its connection is closed.
    std::chrono::milliseconds heartbeat{100};
    /// For all slaves to connect when the job starts.
    std::chrono::milliseconds connectLimit{20'000};
    /// True: all ranks are on one host, so the watch listens to this host only while the job starts.
    bool areAllOnOneHost = false;

    /// A slave that has given no sign of life for so long is lost.
    std::chrono::milliseconds silenceLimit() const { return 8 * heartbeat; }
};

}    // namespace ferry
