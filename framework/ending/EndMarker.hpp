#pragma once

#include <string>

namespace ferry {

/// A file in which the master says how the job has ended, for a launcher whose own status says nothing: the status, a line. No file: the
/// job was cut off. Behind the status of a job that ended because it had lost a rank stands "lost". The path comes from the environment,
/// FERRY_END_MARKER.
///
/// Errors: none; what cannot be written is said on standard error.
class EndMarker {
public:
    /// Where it belongs; empty: nowhere.
    static std::string pathFromEnvironment();

    /// Says in a file beside it (PATH.started) that the process belongs to a job, or (PATH.begun) that all ranks have found each other.
    static void noteStarted(const std::string& path) noexcept;
    static void noteBegun(const std::string& path) noexcept;
    /// A slave says so (PATH.lost), as the master cannot any more, and its launcher may not notice.
    static void noteMasterLost(const std::string& path) noexcept;

    /// Writes it whole, or not at all. Nothing for an empty path. The first status stays.
    static void write(const std::string& path, int status, bool isByLoss = false) noexcept;
};

}    // namespace ferry
