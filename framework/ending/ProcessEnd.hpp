#pragma once

#include <string>

namespace ferry::detail {

/// The last actions of a process.
class ProcessEnd {
public:
    /// Arranges the actions at the call of exit() or the return of main(). markerPath: the file in which the end of the job is marked
    /// (EndMarker); empty: none. The mark holds the status of the process, or jobStatus if the process ends with 0.
    /// isWithoutMpi: the process ends right after the mark. MPI_Finalize is left out, since after the death of a rank it may never return.
    /// Output is flushed. Static objects are not destroyed, and MPI's handlers at exit do not run.
    static void arrange(const std::string& markerPath, int jobStatus, bool isWithoutMpi);

    /// Flushes the output, marks the end of the job and ends the process at once, without exit().
    [[noreturn]] static void now(int status, const std::string& markerPath);

    /// Ends the process like now(), but waits a second at most for readers of its output, and for threads that write output. Needs no memory
    /// for that limit.
    [[noreturn]] static void byForce(int status, const std::string& markerPath);
};

}    // namespace ferry::detail
