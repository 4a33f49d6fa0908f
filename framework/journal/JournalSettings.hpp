#pragma once

#include <chrono>
#include <string>

namespace ferry::detail {

/// The settings of a user for the journal of a job.
struct JournalSettings {
    std::string path{};       ///< empty: no journal is written
    std::string program{};    ///< name of the program that the journal belongs to
    std::string job{};        ///< name that the user gives the job; empty: no name
    std::chrono::milliseconds flushInterval{
        1000};    ///< greatest age of a record before it is on the disk; 0: it is there before its result is used
    std::chrono::milliseconds lockPatience{2000};    ///< time for the killed process of an earlier run to end

    /// The title in the journal's file: program and job.
    std::string title() const { return job.empty() ? program : program + ", job " + job; }
};

}    // namespace ferry::detail
