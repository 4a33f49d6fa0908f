#pragma once

#include <string>

namespace ferry::detail {

/// The last actions of a process.
class ProcessEnd {
public:
    /// Arranges the actions at the call of exit() or the return of main(). If markerPath is not empty, the end of the job is marked
    /// (EndMarker):
    /// with the status of the process, or with jobStatus if the process ends with 0.
    /// isWithoutMpi: the process ends at once after the mark, without MPI_Finalize, which may never return after the death of a rank.
    /// Output is flushed, but static objects are not destroyed, and MPI's handlers at exit do not run.
    static void arrange(const std::string& markerPath, int jobStatus, bool isWithoutMpi);

    /// Flushes the output, marks the end of the job and ends the process at once, without exit().
    [[noreturn]] static void now(int status, const std::string& markerPath);
};

}    // namespace ferry::detail
