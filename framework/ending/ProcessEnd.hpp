#pragma once

#include <string>

namespace ferry {

/// What a process does last.
class ProcessEnd {
public:
    /// When exit() is called, or main() returns, from now on: the status is marked as the end of the job, or that of the job where the
    /// process ends with 0, unless the path is empty (EndMarker). And a process that ends its job without MPI_Finalize, which may never
    /// return after a death, ends at once then: what is written is flushed, but objects of static storage are not destroyed, and what MPI
    /// has left for the end is not run.
    static void arrange(const std::string& markerPath, int jobStatus, bool isWithoutMpi);

    /// The same at once, without exit().
    [[noreturn]] static void now(int status, const std::string& markerPath);
};

}    // namespace ferry
