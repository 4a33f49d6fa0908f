#pragma once

#include <chrono>
#include <string>

namespace ferry {

/// What a user may choose about the journal of a job.
struct JournalSettings {
    std::string path{};       ///< empty: none is written
    std::string program{};    ///< whose journal it is: the program's name
    std::string job{};        ///< what the user calls the job; empty: nothing
    std::chrono::milliseconds flushInterval{
        1000};    ///< how old a record may become before it is on the disk; 0: not before its result is used
    std::chrono::milliseconds lockPatience{2000};    ///< for the process of a run before, which was killed, to end

    /// What stands in the journal: program and job.
    std::string title() const { return job.empty() ? program : program + ", job " + job; }
};

}    // namespace ferry
