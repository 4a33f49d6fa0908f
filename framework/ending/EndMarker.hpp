#pragma once

#include <string>

namespace ferry::detail {

/// A file in which the master marks how the job has ended, for a launcher whose own status does not tell. The file holds one line: the
/// status.
/// No file: the job was cut off. If the job ended because it had lost a rank, the word "lost" follows the status.
/// The path comes from the environment variable FERRY_END_MARKER.
///
/// Errors: none; failures to write are reported on standard error.
class EndMarker {
public:
    /// The path of the file. Empty: no file is written.
    static std::string pathFromEnvironment();

    /// Marks, by a file beside it, that the process belongs to a job (PATH.started), or that all ranks have found each other (PATH.begun).
    static void noteStarted(const std::string& path) noexcept;
    static void noteBegun(const std::string& path) noexcept;
    /// A slave marks the loss of the master (PATH.lost): the master cannot do so, and the launcher may not notice.
    static void noteMasterLost(const std::string& path) noexcept;

    /// Writes the whole file or no file. An empty path: does nothing. The first status stays.
    static void write(const std::string& path, int status, bool isByLoss = false) noexcept;
};

}    // namespace ferry::detail
